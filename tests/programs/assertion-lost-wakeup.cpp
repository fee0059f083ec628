// A mailbox drained by whoever finds it idle. A message posted between the drain and the clearing of the flag
// is left behind: its sender saw the flag still set and relied on a drain that was already over.
#include <atomic>
#include <cassert>
#include <thread>

struct Mailbox {
  std::atomic<int> pending{0};
  std::atomic<bool> draining{false};
  int handled = 0;  // owned by the thread that set `draining`

  void post() {
    pending.fetch_add(1);
    if (!draining.exchange(true)) drain();
  }

  void drain() {
    handled += pending.exchange(0);
    draining.store(false);
  }
};

static Mailbox mailbox;

int main() {
  std::thread first([] { mailbox.post(); });
  std::thread second([] { mailbox.post(); });
  first.join();
  second.join();
  assert(mailbox.handled == 2);  // BUG
  return 0;
}
