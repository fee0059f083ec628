// A work-stealing queue in the manner of Cilk's THE protocol, over a circular buffer of N slots (N on the command
// line).
//
// The owner pushes and pops at the tail without a lock unless the queue looks empty; a thief takes from the head with
// the lock held. One slot stays free, so that the owner never writes the slot that a thief, having moved the head,
// still reads.
//
// The driver: main, the owner, pushes N - 1 jobs and pops as often; a thief tries to steal two. Every job is done once.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

class WorkQueue {
 public:
  explicit WorkQueue(int slots) : slots_(static_cast<std::size_t>(slots)) {}

  bool push(int job) {
    const int tail = tail_;
    if (tail - head_ >= static_cast<int>(slots_.size()) - 1) return false;
    slot(tail) = job;
    tail_ = tail + 1;
    return true;
  }

  std::optional<int> pop() {
    const int tail = tail_ - 1;
    tail_ = tail;
    if (head_ > tail) {
      // The last job, if there is one, may be going to a thief: the lock decides.
      tail_ = tail + 1;
      std::scoped_lock hold(lock_);
      tail_ = tail;
      if (head_ > tail) {
        tail_ = tail + 1;
        return std::nullopt;
      }
    }
    return slot(tail);
  }

  std::optional<int> steal() {
    std::scoped_lock hold(lock_);
    const int head = head_;
    head_ = head + 1;
    if (head + 1 > tail_) {
      head_ = head;
      return std::nullopt;
    }
    return slot(head);
  }

 private:
  int& slot(int index) { return slots_[static_cast<std::size_t>(index) % slots_.size()]; }

  std::vector<int> slots_;
  std::atomic<int> head_{0};
  std::atomic<int> tail_{0};
  std::mutex lock_;
};

int main(int argc, char** argv) {
  const int slots = argc > 1 ? std::atoi(argv[1]) : 3;
  WorkQueue queue(slots);
  std::vector<int> done_by_main(static_cast<std::size_t>(slots), 0);
  std::vector<int> done_by_thief(static_cast<std::size_t>(slots), 0);
  std::thread thief([&] {
    for (int i = 0; i < 2; ++i) {
      if (const auto job = queue.steal()) ++done_by_thief[static_cast<std::size_t>(*job)];
    }
  });
  for (int job = 1; job < slots; ++job) {
    const bool pushed = queue.push(job);
    assert(pushed);
  }
  for (int job = 1; job < slots; ++job) {
    if (const auto mine = queue.pop()) ++done_by_main[static_cast<std::size_t>(*mine)];
  }
  thief.join();
  for (std::size_t job = 1; job < done_by_main.size(); ++job) assert(done_by_main[job] + done_by_thief[job] == 1);
}
