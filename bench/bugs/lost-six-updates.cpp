// atomicity; bound 4, depth 5. Two threads add three times each; few orders leave only 2. Orders that suffice: one
// reads 0 < two writes, two writes again < one writes 1 < two reads it < one writes again, one has written three
// times < two writes 2.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> count{0};

void add_three_times() {
  for (int i = 0; i < 3; ++i) count = count + 1;
}

int main() {
  std::thread one(add_three_times), two(add_three_times);
  one.join();
  two.join();
  assert(count != 2);
}
