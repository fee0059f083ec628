// TBB concurrent_queue: a push against a pop. Nothing is lost, doubled or made up, and the order is kept.
#include <tbb/concurrent_queue.h>

#include <cassert>
#include <thread>

int main() {
  tbb::concurrent_queue<int> queue;
  queue.push(1);
  std::thread producer([&] { queue.push(2); });
  int item = 0;
  assert(queue.try_pop(item) && item == 1);
  producer.join();
  assert(queue.try_pop(item) && item == 2);
  assert(!queue.try_pop(item));
}
