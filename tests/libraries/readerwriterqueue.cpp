// moodycamel::ReaderWriterQueue: one producer, one consumer, across a block boundary.
#include <cassert>
#include <readerwriterqueue/readerwriterqueue.h>
#include <thread>

int main() {
  moodycamel::ReaderWriterQueue<int, 2> queue(1);
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) assert(queue.enqueue(i));
  });
  int last = 0;
  int item = 0;
  for (int i = 0; i < 2; ++i) {
    if (!queue.try_dequeue(item)) continue;
    assert(item == last + 1);
    last = item;
  }
  producer.join();
  while (queue.try_dequeue(item)) {
    assert(item == last + 1);
    last = item;
  }
  assert(last == 3);
}
