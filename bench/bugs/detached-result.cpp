// order; bound 0, depth 1. main reads the result without joining first. Orders that suffice: main reads < the worker
// writes.
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
