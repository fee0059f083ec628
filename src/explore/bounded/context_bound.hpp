// Context bounds of happens-before states (Musuvathi & Qadeer, section 3.2).
//
// CB(s, t) is the least number of preemptions of an execution that leads to s and goes on with a step of t. Over the
// frontier F(s) of s, with s - u for s without the last action of u:
//
//     CB(initial, t) = 0
//     CB(s, t) = min over u in F(s) of  CB(s - u, u) + (u != t and u in E(s) ? 1 : 0)
//
// Finding it is NP-complete. As in the paper it is found by dynamic programming over the prefixes of s, and everything
// found is kept (Departure). The searches only ever ask whether CB(s, t) <= b, so the recursion gets the number of
// preemptions that are left and does not look at prefixes that cannot be reached with so few; what it then knows is
// a least and a most value. Executions that were run give most values for nothing.
//
// The recursion needs E(s) for prefixes that no execution went through: the program is run there (Prober::visit).
#pragma once

#include <vector>

#include "explore/bounded/hb_states.hpp"
#include "explore/engine.hpp"

namespace heddle {

// An execution to a state: its actions, and how many preemptions it makes.
struct BestOrder {
  std::vector<ActionId> actions;
  std::uint32_t preemptions = 0;
};

class ContextBound {
 public:
  // Gives up when the table has more than so many states.
  ContextBound(HbStates& states, std::size_t most_states) : states_(states), most_states_(most_states) {}

  // Whether CB(state, thread) <= bound. False, too, if it gave up.
  bool at_most(StateId state, ThreadId thread, std::uint32_t bound, Prober& prober);
  // An execution went through the state with so many preemptions, came there by `via` and left by `thread`.
  void note(StateId state, ThreadId thread, std::uint32_t preemptions, ThreadId via);
  // E(s) becomes known, by running the program there if need be; false if that failed.
  bool know(StateId state, Prober& prober);

  // The execution to the state that makes as few preemptions as is known, if it goes on with the thread.
  [[nodiscard]] BestOrder best_order(StateId state, ThreadId thread);

  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
  [[nodiscard]] bool full() const noexcept { return states_.size() > most_states_; }

 private:
  // The question whether CB(state, thread) <= bound, being answered.
  struct Question {
    StateId state;
    ThreadId thread;
    std::uint32_t bound;
    std::vector<ThreadId> frontier;  // still to be tried, from the back
    bool open = false;               // the frontier has been found
  };

  [[nodiscard]] std::uint32_t cost(StateId state, ThreadId from, ThreadId to) const;
  // Answers from what is known; nothing if that is not enough.
  [[nodiscard]] std::optional<bool> known_answer(const Question& question);
  bool open(Question& question, Prober& prober);
  // Learns from the answer to the question about the predecessor by the last thread of the frontier.
  void learn_from_predecessor(const Question& question);

  HbStates& states_;
  std::size_t most_states_;
  bool gave_up_ = false;
  std::vector<Question> questions_;
};

}  // namespace heddle
