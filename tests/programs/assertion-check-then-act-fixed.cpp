// Seat booking with compare-and-swap: the check and the taking of the seat are one step, the last seat is sold once.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> free_seats{1};
static std::atomic<int> sold{0};

static void buy_ticket() {
  int seats = free_seats.load();
  do {
    if (seats == 0) return;
  } while (!free_seats.compare_exchange_strong(seats, seats - 1));
  sold.fetch_add(1);
}

int main() {
  std::thread alice(buy_ticket);
  std::thread bob(buy_ticket);
  alice.join();
  bob.join();
  assert(sold.load() == 1);
  return 0;
}
