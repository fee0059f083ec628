// lock order; bound 1, depth 2. A callback takes the lock of its registry while the registry calls it with another
// one held. Orders that suffice: each takes its first lock < the other takes its second.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex registry, listener;
int registered = 0;
int called = 0;

void notify() {
  std::scoped_lock hold(registry);
  if (registered > 0) {
    std::scoped_lock inner(listener);
    ++called;
  }
}

void update() {
  std::scoped_lock hold(listener);
  std::scoped_lock inner(registry);
  ++registered;
}

int main() {
  registered = 1;
  std::thread one(notify), two(update);
  one.join();
  two.join();
}
