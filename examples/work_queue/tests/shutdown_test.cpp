// Closing the queue sends every consumer home.
#include <cassert>
#include <thread>
#include <work_queue/version.hpp>
#include <work_queue/work_queue.hpp>

int main() {
  WorkQueue<int> queue(1);
  const auto consume = [&] { assert(!queue.take()); };
  std::thread first(consume);
  std::thread second(consume);
  queue.close();
  first.join();
  second.join();
}
