// ABA; bound 1, depth 2. A value that comes back hides that something happened. Orders that suffice: the watcher
// reads changes < state = 1, state = 0 < the exchange.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state{0};
std::atomic<int> changes{0};

int main() {
  std::thread watcher([] {
    int seen = state;
    const int before = changes;
    if (state.compare_exchange_strong(seen, seen)) assert(changes == before);
  });
  std::thread changer([] {
    state = 1;
    ++changes;
    state = 0;
  });
  watcher.join();
  changer.join();
}
