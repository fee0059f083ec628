// Two threads take two locks, one inside the other, in opposite order.
// Traces: 3, either thread first or, a deadlock, both half-way.
#include <mutex>
#include <thread>

static std::mutex a, b;

static void both(std::mutex& outer, std::mutex& inner) {
  const std::lock_guard<std::mutex> hold_outer(outer);
  const std::lock_guard<std::mutex> hold_inner(inner);
}

int main() {
  std::thread first([] { both(a, b); });
  std::thread second([] { both(b, a); });
  first.join();
  second.join();
}
