#include "explore/bounded/hb_search.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace heddle {

HbSearch::HbSearch(const HbSearchOptions& options)
    : states_(options.exact), context_bound_(states_, options.most_states), options_(options) {
  reports_.push_back({.bound = options.bounds.first});
}

void HbSearch::put_in_table(StateId state) {
  states_[state].in_table = true;
  ++reports_.back().states;
}

void HbSearch::take_from_table(StateId state) {
  states_[state].in_table = false;
  --reports_.back().states;
}

// 1 if a step of this thread would be a preemption now.
std::uint32_t HbSearch::preemption(ThreadId next) const {
  if (actions_.empty()) return 0;
  const ThreadId last = states_.action(actions_.back()).event.thread;
  return last != next && states_[state_].enabled(last) ? 1U : 0U;
}

// The first execution is in the initial state, to which no step leads.
void HbSearch::begin(const Program& program) {
  if (states_[kInitialState].known) return;
  states_.learn_steps(kInitialState, program);
  arrived(kInitialState);
}

// Goes on with the thread that stepped last if it can, so that preemptions are made only where a bound asks for them.
MaybeChoice HbSearch::first_choice(const Program& program) {
  begin(program);
  const std::vector<HbStep>& steps = states_[state_].steps;
  std::optional<Choice> best;
  std::uint32_t best_rank = 3;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const HbStep& step = steps[options_.order == ThreadOrder::Lowest ? i : steps.size() - 1 - i];
    const std::uint32_t cost = preemption(step.thread());
    // A step into H is covered; one that costs too much may still be within the bound by another way to this state, and
    // is looked at when the algorithm comes to it.
    if (leads_into_table(step) || preemptions_ + cost > bound()) continue;
    const bool same = !actions_.empty() && states_.action(actions_.back()).event.thread == step.thread();
    const std::uint32_t rank = same ? 0 : 1 + cost;
    if (rank >= best_rank) continue;
    best = step.choice();
    best_rank = rank;
  }
  blocked_ = !best;
  return best;
}

void HbSearch::performed(const Program& program, const Event& event) {
  const StateId before = state_;
  preemptions_ += preemption(event.thread);
  HEDDLE_REQUIRE(preemptions_ <= bound(), "an execution makes more preemptions than the bound allows");
  const ThreadId via = actions_.empty() ? event.thread : states_.action(actions_.back()).event.thread;
  context_bound_.note(before, event.thread, preemptions_, via);
  execution_.push(event);
  const Choice choice{event.thread, event.outcome};
  const PlannedChoice planned = states_[before].step(choice).planned;
  actions_.push_back(states_.add_action(execution_, actions_, planned));
  state_ = states_.add_successor(before, actions_.back());
  states_.learn_next(before, choice, state_);
  states_.learn_steps(state_, program);
  covered_ = in_table(state_);
  if (!covered_) arrived(state_);
}

void HbSearch::ended(const Program& program, bool /*cut*/) {
  begin(program);
  if (covered_ || blocked_) {
    ++reports_.back().blocked;
  } else {
    ++reports_.back().executions;
    ended_in(state_);
  }
}

std::optional<Reduction::Branch> HbSearch::backtrack(Prober& prober) {
  covered_ = blocked_ = false;
  for (;;) {
    const std::optional<Wanted> wanted = next_wanted(prober);
    if (gave_up()) return std::nullopt;
    if (wanted) return go_to(*wanted);
    reports_.back().complete = true;
    everything_ = !left_out();
    if (everything_ || bound() >= options_.bounds.last) return std::nullopt;
    const BoundReport& done = reports_.back();
    reports_.push_back({.bound = done.bound + 1, .executions = 0, .blocked = 0, .states = done.states});
    enlarge(prober);
  }
}

std::optional<Ended> HbSearch::gave_up() const {
  if (context_bound_.gave_up() || context_bound_.full()) return Ended::States;
  return std::nullopt;
}

// Between executions: the current one is the beginning of the next.
bool HbSearch::archive(Archive& archive) {
  states_.archive(archive);
  archive(reports_);
  archive(everything_);
  archive(actions_);
  archive(state_);
  archive(preemptions_);
  execution_.archive(archive);
  archive_algorithm(archive);
  return true;
}

// Leads the next execution to the state by the best way known, and on by the choice.
Reduction::Branch HbSearch::go_to(const Wanted& wanted) {
  const BestOrder best = context_bound_.best_order(wanted.state, wanted.choice.thread);
  const auto mismatch = std::mismatch(actions_.begin(), actions_.end(), best.actions.begin(), best.actions.end());
  const auto common = static_cast<std::size_t>(mismatch.first - actions_.begin());
  execution_.truncate(common);
  Branch branch{best.actions.size(), wanted.choice};
  for (std::size_t i = 0; i < best.actions.size(); ++i) {
    const Action& action = states_.action(best.actions[i]);
    if (i >= common) execution_.push(action.event);
    branch.instead.push_back(action.planned);
  }
  actions_ = best.actions;
  state_ = wanted.state;
  preemptions_ = best.preemptions;
  return branch;
}

}  // namespace heddle
