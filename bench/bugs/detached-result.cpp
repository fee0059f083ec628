// order; bound 0. main reads the result without joining first.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> result{0};

int main() {
  std::thread worker([] { result = 9; });
  const int seen = result;
  worker.join();
  assert(seen == 9);
}
