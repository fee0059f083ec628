// atomicity; bound 1, depth 2. The second check is missing: the object is made twice. Orders that suffice: each
// looks at instance < the other writes it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex lock;
std::atomic<int*> instance{nullptr};
std::atomic<int> made{0};
int storage[2];

int* get() {
  if (instance == nullptr) {
    std::scoped_lock hold(lock);
    instance = &storage[made++];
  }
  return instance;
}

int main() {
  std::thread one(get), two(get);
  one.join();
  two.join();
  assert(made == 1);
}
