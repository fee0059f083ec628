// A lease taken with a check and a store: two holders at once, and the release traps when it finds the wrong owner.
#include <atomic>
#include <thread>

static std::atomic<int> owner{0};

static bool try_acquire(int id) {
  if (owner.load() != 0) return false;
  owner.store(id);
  return true;
}

static void release(int id) {
  int found = owner.exchange(0);
  if (found != id) {
    __builtin_trap();  // BUG
  }
}

static void run_job(int id) {
  if (try_acquire(id)) release(id);
}

int main() {
  std::thread first(run_job, 1);
  std::thread second(run_job, 2);
  first.join();
  second.join();
  return 0;
}
