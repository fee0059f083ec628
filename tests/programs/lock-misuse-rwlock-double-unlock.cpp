// A table lookup that misses releases the shared lock on its error path and once more on the common path.
#include <atomic>
#include <shared_mutex>
#include <thread>

static std::shared_mutex table_mutex;
static int table_entry = 0;
static std::atomic<int> misses{0};
static std::atomic<int> lookups{0};

static void lookup() {
  table_mutex.lock_shared();
  int found = table_entry;
  if (found == 0) {
    table_mutex.unlock_shared();
    misses.fetch_add(1);
  }
  table_mutex.unlock_shared();  // BUG
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
  return 0;
}
