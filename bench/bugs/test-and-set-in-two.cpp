// atomicity; bound 2. A spin lock that looks first and takes then; seen only if both are inside at once.
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
