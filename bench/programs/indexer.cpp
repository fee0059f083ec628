// Figure 1 of Flanagan and Godefroid (POPL 2005): N threads insert 4 messages each into a hash table of 128 entries.
// Traces: 1 for N <= 11 (no two messages collide), 8^(N-11) for 11 <= N <= 15: each further thread shares three of its
// entries with one other thread, and each of these has two orders.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

static constexpr int kSize = 128;
static constexpr int kMax = 4;
static constexpr int kMost = kSize / kMax;
static std::atomic<int> table[kSize];

static int hash(int w) { return (w * 7) % kSize; }

static void insert(int tid) {
  for (int m = 1; m <= kMax; ++m) {
    const int w = m * 11 + tid;
    int h = hash(w);
    for (int empty = 0; !table[h].compare_exchange_strong(empty, w); empty = 0) h = (h + 1) % kSize;
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 12;
  assert(count >= 0 && count <= kMost);
  std::thread threads[kMost];
  for (int n = 0; n < count; ++n) threads[n] = std::thread(insert, n + 1);
  for (int n = 0; n < count; ++n) threads[n].join();
}
