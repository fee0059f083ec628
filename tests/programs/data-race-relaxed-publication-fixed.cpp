// A message published with a release store and picked up with an acquire load: the plain payload needs no lock.
#include <atomic>
#include <cassert>
#include <thread>

struct Message {
  int length = 0;
  std::atomic<bool> ready{false};
};

static Message inbox;

static void send() {
  inbox.length = 42;
  inbox.ready.store(true, std::memory_order_release);
}

static void receive() {
  if (inbox.ready.load(std::memory_order_acquire)) {
    int length = inbox.length;
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
