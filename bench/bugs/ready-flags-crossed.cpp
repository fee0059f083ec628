// order; bound 2, depth 3. A reader that looks three times sees the writer move on in between. Orders that suffice:
// b = 1 < b is read, the first read of a < a = 2 < the second read of a.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> a{0}, b{0}, seen{0};

int main() {
  std::thread one([] {
    a = 1;
    b = 1;
    a = 2;
  });
  std::thread two([] {
    const int first_b = b;
    const int first_a = a;
    const int later_a = a;
    assert(!(first_b == 1 && first_a == 1 && later_a == 2));
  });
  one.join();
  two.join();
}
