// order; bound 1, depth 2. The index is published before the slot is filled. Orders that suffice: published = 1 < it
// is read, slot is read < slot = 42.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> slot{0}, published{0};

int main() {
  std::thread producer([] {
    published = 1;
    slot = 42;
  });
  std::thread consumer([] {
    if (published == 1) assert(slot == 42);
  });
  producer.join();
  consumer.join();
}
