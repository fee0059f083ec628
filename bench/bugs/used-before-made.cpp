// order; bound 0, depth 1. Nothing makes the user wait for the maker. Orders that suffice: the user looks < the
// maker writes.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int*> shared{nullptr};
int value = 5;

int main() {
  std::thread maker([] { shared = &value; });
  std::thread user([] { assert(shared != nullptr); });
  maker.join();
  user.join();
}
