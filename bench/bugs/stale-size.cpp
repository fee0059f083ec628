// atomicity; bound 1. The size of a bounded stack is checked outside its lock.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex lock;
std::atomic<int> size{1};
int items[2] = {7, 0};

void pop() {
  if (size > 0) {
    std::scoped_lock hold(lock);
    assert(size > 0);
    items[size - 1] = 0;
    --size;
  }
}

int main() {
  std::thread one(pop), two(pop);
  one.join();
  two.join();
}
