#include "explore/bounded/algorithm_2.hpp"

#include "base/contract.hpp"

namespace heddle {

std::optional<HbSearch::Wanted> Algorithm2::next_wanted(Prober& prober) {
  for (; marked_ < terminals_.size(); ++marked_) mark(terminals_[marked_], prober);
  while (!in_table(kInitialState)) {
    StateId state = kInitialState;
    for (;;) {
      const std::optional<HbStep> step = allowed(state, prober);
      if (gave_up_on_bounds()) return std::nullopt;
      if (!step) {
        // Theorem 4: a search that is within the bound in a state is so in one of its successors.
        HEDDLE_REQUIRE(finished(state, prober), "a state within the bound has no step within the bound");
        mark(state, prober);
        break;
      }
      if (step->next == kNoId) return Wanted{state, step->choice()};
      state = step->next;
    }
    if (gave_up_on_bounds()) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<HbStep> Algorithm2::allowed(StateId state, Prober& prober) {
  for (std::size_t i = 0; i < states_[state].steps.size(); ++i) {
    const HbStep step = states_[state].steps[i];  // a copy: looking for bounds adds states
    if (leads_into_table(step)) continue;
    if (within_bound(state, step.thread(), prober)) return step;
    if (gave_up_on_bounds()) return std::nullopt;
    left_out_ = true;
  }
  return std::nullopt;
}

void Algorithm2::mark(StateId first, Prober& prober) {
  to_mark_.assign(1, first);
  while (!to_mark_.empty() && !gave_up_on_bounds()) {
    const StateId state = to_mark_.back();
    to_mark_.pop_back();
    if (in_table(state)) continue;
    put_in_table(state);
    std::vector<ThreadId> frontier;
    states_.frontier(state, frontier);
    for (const ThreadId thread : frontier) {
      const StateId before = states_.find_predecessor(state, thread);
      if (before == kNoId) continue;
      const Event& event = states_.action(states_[state].last_of(thread)).event;
      states_.learn_next(before, {thread, event.outcome}, state);
      // A predecessor whose step to here is beyond the bound does not wait for this state.
      if (!in_table(before) && within_bound(before, thread, prober) && finished(before, prober)) {
        to_mark_.push_back(before);
      }
    }
  }
}

// Line 18. What can be told without looking for bounds comes first.
bool Algorithm2::finished(StateId state, Prober& prober) {
  if (!states_[state].known) return false;
  for (const HbStep& step : states_[state].steps) {
    if (!leads_into_table(step) && states_.departure(state, step.thread()).most <= bound()) return false;
  }
  for (std::size_t i = 0; i < states_[state].steps.size(); ++i) {
    const HbStep step = states_[state].steps[i];
    if (leads_into_table(step)) continue;
    if (within_bound(state, step.thread(), prober) || gave_up_on_bounds()) return false;
    left_out_ = true;
  }
  return true;
}

// The terminal states stay in H; everything else has to be marked again under the new bound.
void Algorithm2::enlarge(Prober& prober) {
  left_out_ = false;
  for (StateId state = 0; state < states_.size(); ++state) {
    if (in_table(state)) take_from_table(state);
  }
  for (const StateId terminal : terminals_) mark(terminal, prober);
}

}  // namespace heddle
