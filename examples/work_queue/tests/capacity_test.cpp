// A full queue makes the producer wait; nothing is lost.
#include <cassert>
#include <thread>
#include <work_queue/version.hpp>
#include <work_queue/work_queue.hpp>

int main() {
  WorkQueue<int> queue(1);
  std::thread producer([&] {
    queue.put(1);
    queue.put(2);
  });
  const int sum = *queue.take() + *queue.take();
  assert(sum == 3);
  producer.join();
}
