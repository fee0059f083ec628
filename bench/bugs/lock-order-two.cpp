// lock order; bound 1, depth 2. Two threads take two locks in opposite order. Orders that suffice: each takes its
// first lock < the other takes its second.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex a, b;

int main() {
  std::thread one([] {
    std::scoped_lock hold_a(a);
    std::scoped_lock hold_b(b);
  });
  std::thread two([] {
    std::scoped_lock hold_b(b);
    std::scoped_lock hold_a(a);
  });
  one.join();
  two.join();
}
