// atomicity; bound 1, depth 2. Two withdrawals both see enough money. Orders that suffice: each reads < the other
// writes.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> balance{100};

void withdraw() {
  if (balance >= 80) balance -= 80;
}

int main() {
  std::thread one(withdraw), two(withdraw);
  one.join();
  two.join();
  assert(balance >= 0);
}
