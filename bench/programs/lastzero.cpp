// lastzero(N) of Abdulla, Aronis, Jonsson and Sagonas (POPL 2014): one thread looks for the last zero of an array,
// N others each set an element to its predecessor plus one.
// Traces: (N+3) * 2^(N-2) for N >= 2, by brute force for N up to 6 and by two other checkers for N = 5, 10, 15.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

static constexpr int kMost = 63;
static std::atomic<int> array[kMost + 1];

static void search(int last) {
  int i = last;
  while (array[i] != 0) --i;
  assert(i >= 0);  // array[0] stays zero
}

static void set(int i) { array[i] = array[i - 1] + 1; }

int main(int argc, char** argv) {
  const int last = argc > 1 ? std::atoi(argv[1]) : 5;
  assert(last >= 0 && last <= kMost);
  std::thread searcher(search, last);
  std::thread setters[kMost + 1];
  for (int i = 1; i <= last; ++i) setters[i] = std::thread(set, i);
  searcher.join();
  for (int i = 1; i <= last; ++i) setters[i].join();
}
