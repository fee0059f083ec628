// One producer: items come out in the order they went in.
#include <cassert>
#include <thread>
#include <work_queue/version.hpp>
#include <work_queue/work_queue.hpp>

int main() {
  WorkQueue<int> queue(4);
  std::thread producer([&] {
    for (int i = 0; i < 2; ++i) queue.put(i);
  });
  for (int i = 0; i < 2; ++i) assert(queue.take() == i);
  producer.join();
}
