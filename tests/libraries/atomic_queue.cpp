// atomic_queue: a ring for atomic items; a producer and a consumer.
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <thread>

int main() {
  atomic_queue::AtomicQueue<int, 4> queue;
  std::thread producer([&] {
    assert(queue.try_push(1));
    assert(queue.try_push(2));
  });
  int last = 0;
  int item = 0;
  if (queue.try_pop(item)) {
    assert(item == 1);
    last = item;
  }
  producer.join();
  while (queue.try_pop(item)) {
    assert(item == last + 1);
    last = item;
  }
  assert(last == 2);
}
