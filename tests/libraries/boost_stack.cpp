// Boost.Lockfree stack: a push against a pop and a push. Nothing is lost, doubled or made up.
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::stack<int, boost::lockfree::capacity<4>> stack;
  assert(stack.push(1));
  int taken = 0;
  std::thread other([&] {
    assert(stack.pop(taken));
    assert(stack.push(4));
  });
  assert(stack.push(2));
  other.join();
  int sum = taken;
  for (int item = 0; stack.pop(item);) sum += item;
  assert(taken == 1 || taken == 2);
  assert(sum == 7);
}
