// atomicity; bound 1, depth 2. Decrement and test are two steps: both threads destroy, or none does. Orders that
// suffice: each decrements < the other tests.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> references{2};
std::atomic<int> destroyed{0};

void release() {
  --references;
  if (references == 0) ++destroyed;
}

int main() {
  std::thread one(release), two(release);
  one.join();
  two.join();
  assert(destroyed == 1);
}
