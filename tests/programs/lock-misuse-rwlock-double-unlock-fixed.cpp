// A table lookup releases the shared lock exactly once and counts a miss afterwards.
#include <atomic>
#include <cassert>
#include <shared_mutex>
#include <thread>

static std::shared_mutex table_mutex;
static int table_entry = 0;
static std::atomic<int> misses{0};
static std::atomic<int> lookups{0};

static void lookup() {
  table_mutex.lock_shared();
  int found = table_entry;
  table_mutex.unlock_shared();
  if (found == 0) misses.fetch_add(1);
  lookups.fetch_add(1);
}

static void insert(int value) {
  table_mutex.lock();
  table_entry = value;
  table_mutex.unlock();
}

int main() {
  std::thread reader(lookup);
  insert(9);
  reader.join();
  assert(misses.load() <= lookups.load());
  return 0;
}
