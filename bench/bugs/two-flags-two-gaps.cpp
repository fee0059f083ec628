// lost wake-up; bound 1, depth 3. A thread decides to sleep outside the lock, and whoever would wake it has been
// there before. Orders that suffice: one counts itself < two looks, two notifies < one waits, three notifies < one
// waits.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable changed;
std::atomic<int> asleep{0};

void rest() {
  if (asleep == 0) {
    ++asleep;
    std::unique_lock hold(lock);
    changed.wait(hold);
  } else {
    changed.notify_all();
  }
}

void wake() { changed.notify_all(); }

int main() {
  std::thread one(rest), two(rest), three(wake);
  one.join();
  two.join();
  three.join();
}
