// lost wake-up; bound 0, depth 1. A wait without a condition misses a signal that came before it. Orders that
// suffice: notify < wait.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable ready;

int main() {
  std::thread waiter([] {
    std::unique_lock hold(lock);
    ready.wait(hold);
  });
  std::thread signaller([] { ready.notify_one(); });
  waiter.join();
  signaller.join();
}
