// The seam: what a search needs to know of a program under control. Searches never see a back-end; back-ends never see
// a search.
//
// A step of a thread is one visible operation and everything invisible that follows, up to just before its next visible
// operation. So between steps every thread that has started and not finished has exactly one pending operation, and
// that operation does not change while other threads run; whether it is enabled, and with which outcomes, may.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/thread_set.hpp"
#include "model/choice.hpp"
#include "model/finding.hpp"
#include "model/operation.hpp"

namespace heddle {

// The outcomes a pending operation has in the current state: a contiguous range, empty when it is blocked.
//   most operations            {0}
//   signal with n waiters      {0..n-1}, counting the waiters by thread number
//   choice of n                {0..n-1}
//   timed operations           0 = as usual, 1 = time-out; a condition wait that nobody signalled: 1 and 2 = spuriously
struct Outcomes {
  Outcome first = 0;
  Outcome count = 0;
  [[nodiscard]] constexpr Outcome end() const noexcept { return first + count; }
  friend constexpr bool operator==(Outcomes, Outcomes) = default;
};

// A thread that failed, or violated an assumption, is stopped: it takes no further step. The others run on, as they do
// in a process whose failing thread is about to end it but has not got there yet.
enum class ThreadPhase : std::uint8_t { NotStarted, Pending, Finished, Stopped };

struct ThreadState {
  ThreadPhase phase = ThreadPhase::NotStarted;
  Operation pending;
  Outcomes outcomes;
};

// Where an execution stands after a step.
enum class ProgramPhase : std::uint8_t {
  Running,  // goes on, or is maximal: then enabled() is empty and conclude() says how it ended
  Failed,   // nothing can run on: conclude() has the finding
  Refused,  // the back-end cannot go on with this program: not a finding, but the end of the search
};

class Program {
 public:
  virtual ~Program() = default;

  // Back to the initial state.
  virtual void restart() = 0;

  [[nodiscard]] virtual std::size_t thread_count() const = 0;
  [[nodiscard]] virtual const ThreadState& thread(ThreadId thread) const = 0;
  // Threads whose pending operation has at least one outcome now.
  [[nodiscard]] virtual const ThreadSet& enabled() const = 0;
  [[nodiscard]] virtual ProgramPhase phase() const = 0;

  // Performs the pending operation of an enabled thread with one of its outcomes and runs on to just before its next
  // visible one. The event stays valid until the next call.
  virtual const Event& step(Choice choice) = 0;

  // Performs a known sequence of choices from the current state, without coming back for each. Returns how many were
  // performed: fewer than asked for if the program asked another question than the digests say, could not take a
  // choice, or failed on the way.
  virtual std::size_t run(std::span<const PlannedChoice> prefix) = 0;

  // The finding by which the last step stopped its thread; null if it did not.
  [[nodiscard]] virtual const Finding* raised() const = 0;
  // Whether this execution violated an assumption of the program: it then does not count.
  [[nodiscard]] virtual bool abandoned() const = 0;

  // The finding of a failed execution, or that of a maximal state (deadlock, no progress), if there is one.
  [[nodiscard]] virtual std::optional<Finding> conclude() = 0;

  // A thread's name outside this search, and back; nothing if no such thread has been met.
  [[nodiscard]] virtual ThreadPath path(ThreadId thread) const = 0;
  [[nodiscard]] virtual std::optional<ThreadId> find(const ThreadPath& path) const = 0;
};

}  // namespace heddle
