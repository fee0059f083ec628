// atomicity; bound 1, depth 2. Each account is locked, the sum of both is not. Orders that suffice: a is reduced <
// it is read, b is read < it is increased.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex a_lock, b_lock;
int a = 100, b = 0;

void move_money() {
  {
    std::scoped_lock hold(a_lock);
    a -= 10;
  }
  {
    std::scoped_lock hold(b_lock);
    b += 10;
  }
}

int sum() {
  int total = 0;
  {
    std::scoped_lock hold(a_lock);
    total += a;
  }
  {
    std::scoped_lock hold(b_lock);
    total += b;
  }
  return total;
}

int main() {
  std::thread mover(move_money);
  std::thread auditor([] { assert(sum() == 100); });
  mover.join();
  auditor.join();
}
