// lock order; bound 1. Four philosophers, each with the left fork in hand; one has to be stopped, the rest follows.
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
