// The states along the current execution, as the searches with sleep sets see them: what can be done in each, what is
// asleep there.
//
// A choice (a thread with an outcome) is asleep in a state when every execution that goes on with it from there is
// equivalent to one already explored. It wakes up when something dependent happens (algorithms.md 4). What is kept of a
// sleeper is its event as performed where it was explored: independent steps do not change it.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "base/archive.hpp"
#include "explore/stateless/thread_order.hpp"
#include "model/dependency.hpp"
#include "model/execution.hpp"
#include "program/program.hpp"

namespace heddle {

struct Sleeper {
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
  Event event;
  std::uint32_t woken_at = kNever;  // position of the event of the current execution that woke it up
  Execution::Place place = {};      // if it is known
};

struct StateFrame {
  // The threads enabled in the state (those of a persistent set, if there is one) and their outcomes, in the order in
  // which they are tried. Searches that only need to know what to do next do not fill this in.
  struct Alternative {
    ThreadId thread;
    Outcomes outcomes;
  };
  std::vector<Alternative> alternatives;
  bool leaves_out = false;            // there are others enabled
  std::vector<std::uint32_t> asleep;  // numbers of sleepers
  std::size_t first_sleeper = 0;      // those from this number on went to sleep here or deeper
  // Threads to be explored from here, in the order in which they were added (persistent and source sets).
  std::vector<ThreadId> backtrack;

  [[nodiscard]] bool enabled(ThreadId thread) const;
  [[nodiscard]] bool backtracks(ThreadId thread) const;
};

// Whether a thread waits for the end of another and for nothing else, and can do nothing but go on then: nothing that
// is enabled with that depends on it.
[[nodiscard]] constexpr bool is_plain_join(const ThreadState& state) noexcept {
  return state.pending.kind == OpKind::ThreadJoin && !state.pending.timed && state.outcomes.count == 1;
}
[[nodiscard]] constexpr bool is_plain_join(const Event& event) noexcept {
  return event.op.kind == OpKind::ThreadJoin && !event.op.timed && !event.several && !event.total;
}

[[nodiscard]] constexpr ThreadId joined_by(const Operation& join) noexcept {
  return ThreadId{static_cast<std::uint16_t>(join.second)};
}

class Frames {
 public:
  explicit Frames(ThreadOrder order) : order_(order) {}

  // The state reached by `last` from the topmost state (null for the initial one). Without `inherit` nothing is asleep
  // in it. Its alternatives are not known yet. `place`: of the event, if it is known.
  StateFrame& push(const Event* last, bool inherit = true, Execution::Place place = {});
  void find_alternatives(const Program& program, const ThreadSet& tried);
  void pop();
  void truncate(std::size_t size) {
    while (size_ > size) pop();
  }
  void archive(Archive& archive);
  // The choice explored last from the topmost state goes to sleep there.
  void put_to_sleep(const Event& event, Execution::Place place = {});

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] StateFrame& top() { return frames_[size_ - 1]; }
  [[nodiscard]] StateFrame& operator[](std::size_t depth) { return frames_[depth]; }
  [[nodiscard]] const StateFrame& operator[](std::size_t depth) const { return frames_[depth]; }

  [[nodiscard]] const Sleeper& sleeper(std::uint32_t number) const noexcept { return sleepers_[number]; }
  [[nodiscard]] bool sleeps(const StateFrame& frame, Choice choice) const;
  // An outcome of the thread that is not asleep, or nothing.
  [[nodiscard]] MaybeChoice awake(const StateFrame& frame, ThreadId thread) const;
  // The first thread, in the order of trying, with such an outcome.
  [[nodiscard]] MaybeChoice first_awake(const StateFrame& frame) const;
  // The same without having found the alternatives; all outcomes of the thread from the one returned on may be awake.
  // Joins come last: see OptimalReduction. `passed_over` counts how often, one after the other.
  [[nodiscard]] MaybeChoice first_awake(const StateFrame& frame, const Program& program,
                                        std::size_t& passed_over) const;

 private:
  std::vector<StateFrame> frames_;  // those beyond size_ keep their memory for the next use
  std::size_t size_ = 0;
  std::vector<Sleeper> sleepers_;  // of all states; a stack, as the states are
  ThreadOrder order_;
};

}  // namespace heddle
