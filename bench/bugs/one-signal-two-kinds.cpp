// lost wake-up; bound 1. Two kinds of waiters on one condition variable, and notify_one.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable changed;
bool even = false, odd = false;

void wait_for(bool& what) {
  std::unique_lock hold(lock);
  while (!what) changed.wait(hold);
}

int main() {
  std::thread first([] { wait_for(even); });
  std::thread second([] { wait_for(odd); });
  std::thread signaller([] {
    {
      std::scoped_lock hold(lock);
      even = true;
    }
    changed.notify_one();
    {
      std::scoped_lock hold(lock);
      odd = true;
    }
    changed.notify_one();
  });
  first.join();
  second.join();
  signaller.join();
}
