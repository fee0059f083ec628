// lost wake-up; bound 1, depth 2. The flag is set without the lock, between the check and the wait. Orders that
// suffice: the waiter reads the flag < it is set, notify < wait.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable changed;
std::atomic<bool> flag{false};

int main() {
  std::thread waiter([] {
    std::unique_lock hold(lock);
    while (!flag) changed.wait(hold);
  });
  std::thread signaller([] {
    flag = true;
    changed.notify_one();
  });
  waiter.join();
  signaller.join();
}
