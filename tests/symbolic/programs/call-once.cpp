// std::call_once: whoever comes first, the function runs once, and it has run when the call returns.
#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::once_flag once;
int made = 0;
void make() { ++made; }
void use() {
  std::call_once(once, make);
  assert(made == 1);
}
}  // namespace

int main() {
  std::thread other(use);
  use();
  other.join();
  assert(made == 1);
}
