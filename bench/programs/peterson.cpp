// Peterson's lock for two threads, each going through it N times (N on the command line). Waiting is done by trying
// again a bounded number of times, so that executions end: a thread that is not let in gives up that round.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<bool> wants[2] = {false, false};
std::atomic<int> turn{0};
std::atomic<int> inside{0};

void rounds(int self, int count) {
  const int other = 1 - self;
  for (int round = 0; round < count; ++round) {
    wants[self] = true;
    turn = other;
    if (!wants[other] || turn == self) {
      assert(++inside == 1);
      --inside;
    }
    wants[self] = false;
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1;
  std::thread zero(rounds, 0, count), one(rounds, 1, count);
  zero.join();
  one.join();
}
