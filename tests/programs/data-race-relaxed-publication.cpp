// A message published through a relaxed flag: seeing the flag does not order the plain payload before its use.
#include <atomic>
#include <cassert>
#include <thread>

struct Message {
  int length = 0;
  std::atomic<bool> ready{false};
};

static Message inbox;

static void send() {
  inbox.length = 42;  // BUG
  inbox.ready.store(true, std::memory_order_relaxed);
}

static void receive() {
  if (inbox.ready.load(std::memory_order_relaxed)) {
    int length = inbox.length;  // BUG
    assert(length == 42);
  }
}

int main() {
  std::thread sender(send);
  std::thread receiver(receive);
  sender.join();
  receiver.join();
  return 0;
}
