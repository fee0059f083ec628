// moodycamel::ConcurrentQueue: a producer and a consumer.
#include <cassert>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

struct Small : moodycamel::ConcurrentQueueDefaultTraits {
  static const std::size_t BLOCK_SIZE = 2;
  static const std::size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 2;
};

int main() {
  moodycamel::ConcurrentQueue<int, Small> queue(4);
  std::thread producer([&] {
    assert(queue.enqueue(1));
    assert(queue.enqueue(2));
  });
  int last = 0;
  int item = 0;
  if (queue.try_dequeue(item)) {
    assert(item == 1);
    last = item;
  }
  producer.join();
  while (queue.try_dequeue(item)) {
    assert(item == last + 1);
    last = item;
  }
  assert(last == 2);
}
