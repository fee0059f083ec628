// atomicity; bound 1. Load and store are two steps.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> count{0};

void add() { count = count + 1; }

int main() {
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(count == 2);
}
