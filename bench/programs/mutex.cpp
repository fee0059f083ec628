// THREADS threads of OPERATIONS increments each, every one under a mutex, created and joined by main.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static int counter;

int main(int, char** argv) {
  const int operations = std::atoi(argv[2]);
  std::vector<std::thread> threads;
  for (int t = std::atoi(argv[1]); t > 0; --t) {
    threads.emplace_back([operations] {
      for (int i = 0; i < operations; ++i) {
        const std::lock_guard<std::mutex> hold(lock);
        ++counter;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}
