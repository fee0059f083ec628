// The example of section 2 of Abdulla, Aronis, Jonsson and Sagonas (POPL 2014), for which source sets alone leave runs
// that sleep sets block: x=1, y=1, m=y; if (!m) z=1, and n=z; l=y; if (n==1 && l==0) x=2.
// Traces: 7, by brute force.
#include <atomic>
#include <thread>

// Not static: clang leaves out accesses to variables of the file that nobody reads, or nobody writes.
std::atomic<int> x, y, z;

int main() {
  std::thread p([] { x = 1; });
  std::thread q([] { y = 1; });
  std::thread r([] {
    const int m = y;
    if (m == 0) z = 1;
  });
  std::thread s([] {
    const int n = z;
    const int l = y;
    if (n == 1 && l == 0) x = 2;
  });
  p.join();
  q.join();
  r.join();
  s.join();
}
