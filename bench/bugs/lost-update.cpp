// atomicity; bound 1, depth 2. Load and store are two steps. Orders that suffice: each reads < the other writes.
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
