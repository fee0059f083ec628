// lock order; bound 1, depth 4. Four philosophers, each with the left fork in hand; one has to be stopped, the rest
// follows. Orders that suffice: each takes the left fork < its neighbour reaches for that as its right one.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex forks[4];

void eat(int seat) {
  std::scoped_lock left(forks[seat]);
  std::scoped_lock right(forks[(seat + 1) % 4]);
}

int main() {
  std::thread threads[] = {std::thread(eat, 0), std::thread(eat, 1), std::thread(eat, 2), std::thread(eat, 3)};
  for (std::thread& thread : threads) thread.join();
}
