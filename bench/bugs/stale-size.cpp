// atomicity; bound 1, depth 2. The size of a bounded stack is checked outside its lock. Orders that suffice: one
// looks at size < two takes the last item, two has taken it < one looks again.
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
