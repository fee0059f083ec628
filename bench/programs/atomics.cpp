// THREADS threads of OPERATIONS atomic increments each, created and joined by main; all of it TIMES times over, by a
// choice at the beginning.
#include <heddle/heddle.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

static std::atomic<int> counter;

int main(int argc, char** argv) {
  if (argc > 3) heddle_choose(std::atoi(argv[3]));
  const int operations = std::atoi(argv[2]);
  std::vector<std::thread> threads;
  for (int t = std::atoi(argv[1]); t > 0; --t) {
    threads.emplace_back([operations] {
      for (int i = 0; i < operations; ++i) counter.fetch_add(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
}
