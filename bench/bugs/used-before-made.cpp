// order; bound 0. Nothing makes the user wait for the maker.
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
