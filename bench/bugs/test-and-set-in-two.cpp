// atomicity; bound 2, depth 3. A spin lock that looks first and takes then; seen only if both are inside at once.
// Orders that suffice: one looks < two takes, two is inside < one takes, one is inside < two leaves.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> taken{false};
std::atomic<int> inside{0};

void work() {
  if (taken) return;
  taken = true;
  assert(++inside == 1);
  --inside;
  taken = false;
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
}
