// order; bound 2, depth 2. The worker looks at the flag once and then uses what main takes away. Orders that
// suffice: the worker reads running < it is false, resource is null < the worker reads it.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> running{true};
std::atomic<int*> resource{nullptr};
int value = 1;

int main() {
  resource = &value;
  std::thread worker([] {
    if (running) assert(resource != nullptr);
  });
  running = false;
  resource = nullptr;
  worker.join();
}
