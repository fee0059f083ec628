// A static local variable is constructed once; who comes meanwhile waits.
#include <cassert>
#include <thread>

namespace {
int constructed = 0;
struct Table {
  Table() : entry(++constructed) {}
  int entry;
};
void use() {
  static Table table;
  assert(table.entry == 1);
}
}  // namespace

int main() {
  std::thread other(use);
  use();
  other.join();
  assert(constructed == 1);
}
