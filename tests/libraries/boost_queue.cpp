// Boost.Lockfree queue: a producer and a consumer. Nothing is lost, doubled or made up, and what was pushed comes
// out in its order.
#include <atomic>
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::queue<int, boost::lockfree::capacity<4>> queue;
  std::thread producer([&] {
    assert(queue.push(1));
    assert(queue.push(2));
  });
  int taken = 0;
  int last = 0;
  for (int i = 0; i < 2; ++i) {
    int item = 0;
    if (!queue.pop(item)) continue;
    assert(item == last + 1);
    last = item;
    ++taken;
  }
  producer.join();
  for (int item = 0; queue.pop(item); ++taken) assert(item == taken + 1);
  assert(taken == 2);
}
