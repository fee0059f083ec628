#include "explore/bounded/algorithm_1.hpp"

namespace heddle {

void Algorithm1::arrived(StateId state) {
  put_in_table(state);
  open_.push_back(state);
}

std::optional<HbSearch::Wanted> Algorithm1::next_wanted(Prober& prober) {
  while (!open_.empty()) {
    const StateId state = open_.back();
    bool left = false;
    for (std::size_t i = 0; i < states_[state].steps.size(); ++i) {
      const HbStep step = states_[state].steps[i];  // a copy: looking for bounds adds states
      if (leads_into_table(step)) continue;
      if (within_bound(state, step.thread(), prober)) return Wanted{state, step.choice()};
      if (gave_up_on_bounds()) return std::nullopt;
      left = true;
    }
    open_.pop_back();
    if (left) left_.push_back(state);
  }
  return std::nullopt;
}

void Algorithm1::enlarge(Prober& /*prober*/) {
  open_.swap(left_);
  left_.clear();
}

}  // namespace heddle
