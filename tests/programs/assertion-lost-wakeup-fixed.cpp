// A mailbox drained by whoever finds it idle. After clearing the flag the drainer looks again, so a message posted
// while the flag was still set is picked up.
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
    do {
      handled += pending.exchange(0);
      draining.store(false);
    } while (pending.load() > 0 && !draining.exchange(true));
  }
};

static Mailbox mailbox;

int main() {
  std::thread first([] { mailbox.post(); });
  std::thread second([] { mailbox.post(); });
  first.join();
  second.join();
  assert(mailbox.handled == 2);
  return 0;
}
