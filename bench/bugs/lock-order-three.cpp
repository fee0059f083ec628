// lock order; bound 1, depth 3. A cycle of three threads and three locks: one is stopped with its lock, the others
// then stop each other. Orders that suffice: each takes its first lock < its neighbour takes that as its second.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex locks[3];

void take(int first) {
  std::scoped_lock one(locks[first]);
  std::scoped_lock other(locks[(first + 1) % 3]);
}

int main() {
  std::thread threads[] = {std::thread(take, 0), std::thread(take, 1), std::thread(take, 2)};
  for (std::thread& thread : threads) thread.join();
}
