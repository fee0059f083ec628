// lost wake-up; bound 1, depth 3. Two kinds of waiters on one condition variable, and notify_one. Orders that
// suffice: first waits < even is set, second waits < even is set, second, woken, has the lock again < odd is set;
// and both signals choose the wrong waiter.
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
