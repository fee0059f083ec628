// A thread with helpers that use its variables, and that waits for them in every way there is: joining, a semaphore, a
// latch, a promise, an atomic counter with acquire and release. (ONE_TOO_FEW: it does not wait for the last of them.)
#include <atomic>
#include <future>
#include <latch>
#include <semaphore>
#include <thread>

static std::thread detached[4];

static void work() {
  int sum = 0;
  std::thread joined([&] { sum += 1; });
  joined.join();

  std::binary_semaphore done(0);
  detached[0] = std::thread([&] {
    sum += 2;
    done.release();
  });
  done.acquire();

  std::latch open(1);
  detached[1] = std::thread([&] {
    sum += 3;
    open.count_down();
  });
  open.wait();

  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  detached[2] = std::thread([&sum, promise = std::move(promise)]() mutable { promise.set_value(sum + 4); });
  sum = future.get();

  std::atomic<int> left{1};
  detached[3] = std::thread([&] {
#ifdef ONE_TOO_FEW
    left.store(0, std::memory_order_release);
    sum += 5;  // BUG
#else
    sum += 5;
    left.store(0, std::memory_order_release);
#endif
  });
  while (left.load(std::memory_order_acquire) != 0) std::this_thread::yield();
}

int main() {
  std::thread worker(work);
  worker.join();
  for (std::thread& thread : detached) thread.join();
  return 0;
}
