// Seat booking that checks for a free seat and then takes it in a second step: two buyers get the last seat.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> free_seats{1};
static std::atomic<int> sold{0};

static void buy_ticket() {
  if (free_seats.load() == 0) return;
  free_seats.fetch_sub(1);
  sold.fetch_add(1);
}

int main() {
  std::thread alice(buy_ticket);
  std::thread bob(buy_ticket);
  alice.join();
  bob.join();
  assert(sold.load() == 1);  // BUG
  return 0;
}
