// ABA; bound 2, depth 3. A free list by index: allocate, stopped between reading the successor and the exchange; the
// owner notices later. Orders that suffice: one reads the successor < two first exchanges, two writes owner < one
// exchanges, one writes owner at the end < two reads it.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> top{0};
std::atomic<int> next_of[2] = {1, -1};
std::atomic<int> owner[2] = {0, 0};

int allocate() {
  int index = top;
  while (index >= 0 && !top.compare_exchange_strong(index, next_of[index])) {
  }
  return index;
}

void release(int index) {
  int old = top;
  do next_of[index] = old;
  while (!top.compare_exchange_strong(old, index));
}

void use(int self, bool twice) {
  const int first = allocate();
  const int second = twice ? allocate() : -1;
  if (first >= 0 && twice) release(first);
  const int mine = twice ? second : first;
  if (mine >= 0) {
    owner[mine] = self;
    assert(owner[mine] == self);
  }
  if (!twice) {
    const int again = allocate();
    if (again >= 0) owner[again] = self;
  }
}

int main() {
  std::thread one(use, 1, false), two(use, 2, true);
  one.join();
  two.join();
}
