// order; bound 1. The index is published before the slot is filled.
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
