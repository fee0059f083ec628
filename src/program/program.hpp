// The seam: what a search needs to know of a program under control. Searches never see a back-end; back-ends never see
// a search.
//
// A step of a thread is one visible operation and everything invisible that follows, up to just before its next visible
// operation. So between steps every thread that has started and not finished has exactly one pending operation, and
// that operation does not change while other threads run; whether it is enabled, and with which outcomes, may.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/contract.hpp"
#include "base/thread_set.hpp"
#include "model/accesses.hpp"
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
  Revised,  // the back-end has found out that executions are to be run otherwise from now on: the search begins anew
};

// A state that a back-end keeps so that it can be put back: valid in this process, and in those forked from it, until
// it is released.
enum class StateHandle : std::uint32_t {};

// What a state is, taken apart. Two states are equal iff they have the same parts, in order: same kind, name and bytes.
// Equal states must behave alike for ever; a back-end may call states different that are not (dead bytes of a stack),
// which costs states and loses nothing.
//   - History stays out: clocks, counts of events, statistics, virtual time, high-water marks, quarantined memory. What
//     limits the future is in: budgets of time-outs and spurious wake-ups used up, an assumption violated.
//   - Sets are described in sorted order (readers of a lock, waiters): steps that the dependency relation calls
//     independent lead to equal states in either order.
//   - A local part changes by steps of its own thread only: where it is, its registers and private variables. Whatever
//     another thread's step may change (that it was created, that it was woken) is shared.
struct StatePart {
  enum class Kind : std::uint8_t { Shared, Local };
  Kind kind = Kind::Shared;
  std::uint32_t name = 0;  // the thread's number of a local part; of a shared one what the back-end likes (a page)
  // Other than 0: parts of this kind and name with the same version have the same bytes, so that nobody needs to look
  // at them again. A back-end that knows what has changed numbers a part anew when it did and puts the old number back
  // when it restores the old bytes.
  std::uint64_t version = 0;
  std::span<const std::byte> bytes;  // valid until the program is stepped or put into another state
};

// Who says what comes next while a program goes on from step to step.
class Driver {
 public:
  virtual ~Driver() = default;
  // The last choice was performed as this event, no finding was raised, and the program is Running. Sets the next
  // choice; or false: then the program comes back.
  virtual bool next(const Event& event, Choice& choice) = 0;
  // The same where there is no choice: nobody else can run, and the thread is about to join, with no other outcome, a
  // thread that has ended. True: it does so. False: nothing has been told yet.
  virtual bool joins_next(const Event& /*event*/, const Operation& /*join*/) { return false; }
  // Whether it takes floating-point arithmetic to say what comes next.
  [[nodiscard]] virtual bool calculates() const { return true; }
};

class Program {
 public:
  virtual ~Program() = default;

  // Back to the initial state.
  virtual void restart() = 0;

  // What can be asked about its threads without going through decorators, which have nothing to add there.
  [[nodiscard]] virtual const Program& undecorated() const { return *this; }

  [[nodiscard]] virtual std::size_t thread_count() const = 0;
  [[nodiscard]] virtual const ThreadState& thread(ThreadId thread) const = 0;
  // Whether all threads that have begun have ended.
  [[nodiscard]] virtual bool all_ended() const {
    for (std::size_t t = 0; t < thread_count(); ++t) {
      const ThreadPhase phase = thread(ThreadId{static_cast<std::uint16_t>(t)}).phase;
      if (phase != ThreadPhase::Finished && phase != ThreadPhase::NotStarted) return false;
    }
    return true;
  }
  // Threads whose pending operation has at least one outcome now.
  [[nodiscard]] virtual const ThreadSet& enabled() const = 0;
  [[nodiscard]] virtual ProgramPhase phase() const = 0;

  // Performs the pending operation of an enabled thread with one of its outcomes and runs on to just before its next
  // visible one. The event stays valid until the next call.
  virtual const Event& step(Choice choice) = 0;

  // Performs a choice, and whatever the driver says then. A back-end may ask from where the program is, so that going
  // on costs less than coming back; and comes back when it has to. Returns the last event, or null if the driver has
  // been told of it.
  virtual const Event* drive(Choice choice, Driver& driver) {
    for (;;) {
      const Event& event = step(choice);
      if (phase() != ProgramPhase::Running || raised() != nullptr) return &event;
      if (event.op.kind == OpKind::ThreadJoin && has_to_join(event.thread) &&
          driver.joins_next(event, thread(event.thread).pending)) {
        choice = {event.thread, 0};
        continue;
      }
      if (!driver.next(event, choice)) return nullptr;
    }
  }

  // What the last step accessed, if it was a section of several accesses that the back-end has followed; its event then
  // is an operation on everything. Valid until the next step.
  [[nodiscard]] virtual std::span<const ObjectAccess> section() const { return {}; }

  // The thread with whose end what is at this address is gone, if there is one: its stack is.
  [[nodiscard]] virtual std::optional<ThreadId> goes_with(std::uint64_t /*address*/) const { return std::nullopt; }

  // Performs a known sequence of choices from the current state, without coming back for each. Returns how many were
  // performed: fewer than asked for if the program asked another question than the digests say, could not take a
  // choice, or failed on the way.
  virtual std::size_t run(std::span<const PlannedChoice> prefix) = 0;

  // Restarts and runs a prefix, for who knows that its first `same` choices are those that the program has performed
  // since it was last restarted: a back-end may get there by a shorter way.
  virtual std::size_t rerun(std::span<const PlannedChoice> prefix, std::size_t /*same*/) {
    restart();
    return run(prefix);
  }

  // The finding by which the last step stopped its thread; null if it did not.
  [[nodiscard]] virtual const Finding* raised() const = 0;
  // Whether this execution violated an assumption of the program: it then does not count.
  [[nodiscard]] virtual bool abandoned() const = 0;

  // The finding of a failed execution, or that of a maximal state (deadlock, no progress), if there is one.
  [[nodiscard]] virtual std::optional<Finding> conclude() = 0;

  // A thread's name outside this search, and back; nothing if no such thread has been met.
  [[nodiscard]] virtual ThreadPath path(ThreadId thread) const = 0;
  [[nodiscard]] virtual std::optional<ThreadId> find(const ThreadPath& path) const = 0;

  // Optional capability: states can be kept, put back and compared. Nothing below may be called without it.
  //
  // That is all that searches over states need, the Cartesian one included. A Cartesian vector consists of runs of one
  // thread each from one state: put the state back, step that thread, compare whole states to notice a cycle. Running
  // the vector's prefixes one after the other combines them; nothing is ever put together from parts of several states.
  [[nodiscard]] virtual bool keeps_states() const { return false; }
  // Keeps the current state. Afterwards everything that the seam tells about the program is part of it.
  [[nodiscard]] virtual StateHandle save() { no_states(); }
  // Back to a state that was kept, from wherever the program is now; the handle stays valid.
  virtual void restore(StateHandle /*state*/) { no_states(); }
  virtual void release(StateHandle /*state*/) { no_states(); }
  // The current state's parts. Threads that have not started have none of their own.
  virtual void describe(std::vector<StatePart>& /*parts*/) { no_states(); }
  // Memory that kept states take, for the memory budget.
  [[nodiscard]] virtual std::uint64_t kept_bytes() const { return 0; }

 private:
  // Whether all there is to do is a join, by this thread, of one that has ended.
  [[nodiscard]] bool has_to_join(ThreadId joiner) const {
    const ThreadState& state = thread(joiner);
    return enabled().contains(joiner) && !enabled().has_several() && state.pending.kind == OpKind::ThreadJoin &&
           state.outcomes == Outcomes{0, 1} &&
           thread(ThreadId{static_cast<std::uint16_t>(state.pending.second)}).phase == ThreadPhase::Finished;
  }

  [[noreturn]] static void no_states() {
    broken_contract(__FILE__, __LINE__, "a program that does not keep states was asked to");
  }
};

}  // namespace heddle
