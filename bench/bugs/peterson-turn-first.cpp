// atomicity; bound 2, depth 3. Peterson's lock with the turn given away before the flag is raised. Orders that
// suffice: zero writes turn < one writes it, one is inside < zero raises its flag, zero is inside < one leaves.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2] = {false, false};
std::atomic<int> turn{0};
std::atomic<int> inside{0};

void enter(int self) {
  const int other = 1 - self;
  turn = other;
  wants[self] = true;
  if (wants[other] && turn == other) return;  // does not wait: gives up
  assert(++inside == 1);
  --inside;
  wants[self] = false;
}

int main() {
  std::thread zero(enter, 0), one(enter, 1);
  zero.join();
  one.join();
}
