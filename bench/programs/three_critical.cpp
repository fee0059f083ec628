// Three threads with one critical section each.
// Traces: 3! = 6, the orders of the sections.
#include <mutex>
#include <thread>

static std::mutex lock;
static int x;

static void set(int value) {
  const std::lock_guard<std::mutex> hold(lock);
  x = value;
}

int main() {
  std::thread first(set, 1), second(set, 2), third(set, 3);
  first.join();
  second.join();
  third.join();
}
