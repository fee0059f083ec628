// Happens-before states: a state of the program is named by the partial order of what has happened (Musuvathi & Qadeer,
// section 2). Two executions lead to one state iff they are equivalent, so a table of these names tells a search what
// it has seen, and nothing of the program's memory has to be looked at.
//
// Actions (section 3.3). The paper's action is <kind, thread, n, variable, m>: the n-th action of its thread, and the
// m-th write of the variable, or a read of it. That m is there to say which actions of other threads came before. Our
// operations touch several objects, parts of words, and objects on which more than reads commute; so an action says it
// directly: <kind, thread, n, outcome, past>, where `past` has the last action of every thread that happens before it,
// as `dependent` defines it for all kinds of operations. An action's name thereby contains the names of all actions
// before it, and a state is determined by the last action of each thread.
//
// Hashes have 128 bits. The hash of a state is the exclusive or over its actions, as in the paper: it follows a step
// forward, and backward too, by one operation. States with equal hashes are taken for equal; with `exact` every
// match is compared in full.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/archive.hpp"
#include "model/execution.hpp"
#include "program/program.hpp"

namespace heddle {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend constexpr bool operator==(const Hash128&, const Hash128&) = default;
  friend constexpr Hash128 operator^(const Hash128& a, const Hash128& b) noexcept {
    return {a.high ^ b.high, a.low ^ b.low};
  }
};

using ActionId = std::uint32_t;
using StateId = std::uint32_t;
inline constexpr std::uint32_t kNoId = std::numeric_limits<std::uint32_t>::max();
inline constexpr StateId kInitialState = 0;

struct Action {
  Hash128 hash;
  Event event;
  PlannedChoice planned;
  ActionId previous = kNoId;   // of its thread
  std::vector<ActionId> past;  // per thread, its last action before this one; kNoId or absent if there is none
};

// A choice that is possible in a state.
struct HbStep {
  PlannedChoice planned;
  StateId next = kNoId;  // if it is known where it leads
  [[nodiscard]] Choice choice() const { return planned.choice; }
  [[nodiscard]] ThreadId thread() const { return planned.choice.thread; }
};

// What is known about CB(s, t): see context_bound.hpp.
struct Departure {
  ThreadId thread;
  ThreadId via;                // who steps before, in the best execution known
  std::uint32_t least = 0;     // CB(s, t) is at least this
  std::uint32_t most = kNoId;  // and at most this
};

struct HbState {
  Hash128 hash;
  std::vector<ActionId> last;  // per thread; kNoId or absent if it has not done anything
  std::vector<HbStep> steps;   // E(s), with outcomes; if `known`
  std::vector<Departure> departures;
  bool known = false;
  bool in_table = false;  // in the paper's H: what that means is the search's business

  [[nodiscard]] ActionId last_of(ThreadId thread) const {
    return thread.value < last.size() ? last[thread.value] : kNoId;
  }
  [[nodiscard]] bool enabled(ThreadId thread) const;
  // The step for a choice that is possible in the state.
  [[nodiscard]] HbStep& step(Choice choice);
};

class HbStates {
 public:
  explicit HbStates(bool exact);

  [[nodiscard]] std::size_t size() const noexcept { return states_.size(); }
  // References are good until the next state, or action, is added.
  [[nodiscard]] HbState& operator[](StateId state) { return states_[state]; }
  [[nodiscard]] const HbState& operator[](StateId state) const { return states_[state]; }
  [[nodiscard]] const Action& action(ActionId action) const { return actions_[action]; }

  // The action by which the last event of an execution was performed. `of_events`: those of the events before it.
  ActionId add_action(const Execution& execution, std::span<const ActionId> of_events, const PlannedChoice& planned);
  // next(s, t) for the action that t performed in s.
  StateId add_successor(StateId state, ActionId action);
  // s - t for a thread of the frontier; kNoId if nobody has met that state yet.
  [[nodiscard]] StateId find_predecessor(StateId state, ThreadId thread) const;
  StateId add_predecessor(StateId state, ThreadId thread);

  // Takes down what is possible in the state, in which the program is now.
  void learn_steps(StateId state, const Program& program);
  // Takes down that a choice leads from one state to another.
  void learn_next(StateId state, Choice choice, StateId next);

  // F(s): the threads whose last action no other action follows.
  void frontier(StateId state, std::vector<ThreadId>& threads) const;
  // Choices that lead from the initial state to this one, in some order.
  [[nodiscard]] std::vector<PlannedChoice> schedule(StateId state) const;

  // What is known about CB(s, t), to be read and written.
  Departure& departure(StateId state, ThreadId thread);

  void archive(Archive& archive);

 private:
  struct HashOf {
    std::size_t operator()(const Hash128& hash) const noexcept { return static_cast<std::size_t>(hash.low); }
  };
  template <typename Id>
  using Table = std::unordered_map<Hash128, Id, HashOf>;

  [[nodiscard]] bool same(const Action& a, const Action& b) const;
  StateId find_or_add(const Hash128& hash, std::vector<ActionId> last);

  bool exact_;
  std::vector<Action> actions_;
  std::vector<HbState> states_;
  Table<ActionId> action_table_;
  Table<StateId> state_table_;
};

}  // namespace heddle
