// main performs LENGTH atomic increments by itself; then two threads of K each run: every branch is near the end.
#include <atomic>
#include <cstdlib>
#include <thread>
static std::atomic<int> counter;
int main(int argc, char** argv) {
  (void)argc;
  for (int i = std::atoi(argv[1]); i > 0; --i) counter.fetch_add(1);
  const int k = std::atoi(argv[2]);
  auto work = [k] {
    for (int i = 0; i < k; ++i) counter.fetch_add(1);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
}
