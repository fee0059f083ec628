// Boost.Lockfree spsc_queue: one producer, one consumer, a ring of two that goes round.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
  int pushed = 0;
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) {
      if (!queue.push(i)) break;
      pushed = i;
    }
  });
  int last = 0;
  for (int i = 0; i < 2; ++i) {
    int item = 0;
    if (!queue.pop(item)) continue;
    assert(item == last + 1);
    last = item;
  }
  producer.join();
  for (int item = 0; queue.pop(item); last = item) assert(item == last + 1);
  assert(last == pushed && pushed >= 2);
}
