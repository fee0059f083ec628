// The example of section 3 of Flanagan and Godefroid (POPL 2005): x=1; x=2 and y=1; x=3.
// Traces: 3, one for each place of x=3 among the writes of the other thread.
#include <atomic>
#include <thread>

// Not static: clang leaves out accesses to variables of the file that nobody reads, or nobody writes.
std::atomic<int> x, y;

int main() {
  std::thread first([] {
    x = 1;
    x = 2;
  });
  std::thread second([] {
    y = 1;
    x = 3;
  });
  first.join();
  second.join();
}
