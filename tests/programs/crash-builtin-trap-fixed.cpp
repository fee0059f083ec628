// A lease taken with one compare-and-swap: the release always finds its own mark.
#include <atomic>
#include <thread>

static std::atomic<int> owner{0};

static bool try_acquire(int id) {
  int nobody = 0;
  return owner.compare_exchange_strong(nobody, id);
}

static void release(int id) {
  int found = owner.exchange(0);
  if (found != id) {
    __builtin_trap();
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
