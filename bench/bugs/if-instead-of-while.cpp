// lost wake-up; bound 1, depth 4. A consumer that was woken does not look again, and another one was faster. Orders
// that suffice: one consumer waits < the first item < the other one takes it < the first one has the lock again <
// the second item.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable filled;
int items = 0;

void consume() {
  std::unique_lock hold(lock);
  if (items == 0) filled.wait(hold);
  assert(items > 0);
  --items;
}

int main() {
  std::thread one(consume), two(consume);
  std::thread producer([] {
    {
      std::scoped_lock hold(lock);
      ++items;
    }
    filled.notify_one();
    {
      std::scoped_lock hold(lock);
      ++items;
    }
    filled.notify_one();
  });
  one.join();
  two.join();
  producer.join();
}
