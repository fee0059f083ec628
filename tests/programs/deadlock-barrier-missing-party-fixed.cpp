// A worker that sees the cancellation skips its rows but still arrives at the barrier.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <thread>

static pthread_barrier_t phase_end;
static std::atomic<bool> cancelled{false};
static std::atomic<int> rows{0};
static std::atomic<int> phases{0};

static void smooth_half() {
  if (!cancelled.load()) rows.fetch_add(1);
  int last = pthread_barrier_wait(&phase_end);
  if (last == PTHREAD_BARRIER_SERIAL_THREAD) phases.fetch_add(1);
}

int main() {
  pthread_barrier_init(&phase_end, nullptr, 2);
  std::thread upper(smooth_half);
  std::thread lower(smooth_half);
  cancelled.store(true);
  upper.join();
  lower.join();
  assert(phases.load() == 1);
  pthread_barrier_destroy(&phase_end);
  return 0;
}
