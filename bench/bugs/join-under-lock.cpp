// lock order; bound 0, depth 1. main joins a thread while it holds the lock which that thread needs. Orders that
// suffice: main locks < the worker locks.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex lock;

int main() {
  std::thread worker([] { std::scoped_lock hold(lock); });
  std::scoped_lock hold(lock);
  worker.join();
}
