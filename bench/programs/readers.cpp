// readers(N) of Abdulla, Aronis, Jonsson and Sagonas (POPL 2014): one thread writes x, N others each read a variable of
// their own and then x.
// Traces: 2^N, each reader sees x before or after the write.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

static constexpr int kMost = 64;
// Not static: clang leaves out accesses to variables of the file that nobody reads, or nobody writes.
std::atomic<int> x, own[kMost];

static void look(int reader) {
  assert(own[reader] == 0);
  const int seen = x;
  assert(seen == 0 || seen == 1);
}

int main(int argc, char** argv) {
  const int readers = argc > 1 ? std::atoi(argv[1]) : 2;
  assert(readers >= 0 && readers <= kMost);
  std::thread writer([] { x = 1; });
  std::thread threads[kMost];
  for (int n = 0; n < readers; ++n) threads[n] = std::thread(look, n);
  writer.join();
  for (int n = 0; n < readers; ++n) threads[n].join();
}
