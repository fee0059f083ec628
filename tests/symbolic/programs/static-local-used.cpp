// That its construction is safe does not make its use so.
#include <cassert>
#include <thread>

namespace {
struct Counter {
  Counter() : value(0) {}
  int value;
};
Counter& counter() {
  static Counter made;
  return made;
}
void use() { ++counter().value; }  // BUG: without a lock
}  // namespace

int main() {
  std::thread other(use);
  use();
  other.join();
}
