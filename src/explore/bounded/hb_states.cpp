#include "explore/bounded/hb_states.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t mix(std::uint64_t h, std::uint64_t value) noexcept {
  h = (h ^ value) * 0x9E3779B97F4A7C15U;
  h ^= h >> 32U;
  h *= 0xD6E8FEB86659FD93U;
  return h ^ (h >> 29U);
}

// Two lanes that begin differently and stay apart.
struct Hasher {
  Hash128 hash{0x243F6A8885A308D3U, 0x13198A2E03707344U};
  constexpr void add(std::uint64_t value) noexcept {
    hash.high = mix(hash.high, value);
    hash.low = mix(hash.low, value + 0xA0761D6478BD642FU);
  }
};

ActionId at(const std::vector<ActionId>& actions, std::size_t thread) {
  return thread < actions.size() ? actions[thread] : kNoId;
}

void put(std::vector<ActionId>& actions, std::size_t thread, ActionId action) {
  if (thread >= actions.size()) actions.resize(thread + 1, kNoId);
  actions[thread] = action;
}

// Threads that have done nothing may be absent or not.
bool same_actions(const std::vector<ActionId>& a, const std::vector<ActionId>& b) {
  for (std::size_t t = 0; t < std::max(a.size(), b.size()); ++t) {
    if (at(a, t) != at(b, t)) return false;
  }
  return true;
}

}  // namespace

bool HbState::enabled(ThreadId thread) const {
  return std::any_of(steps.begin(), steps.end(), [&](const HbStep& step) { return step.thread() == thread; });
}

HbStep& HbState::step(Choice choice) {
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const HbStep& s) { return s.choice() == choice; });
  HEDDLE_REQUIRE(found != steps.end(), "a step was taken that is not possible in its state");
  return *found;
}

HbStates::HbStates(bool exact) : exact_(exact) {
  states_.emplace_back();
  state_table_.emplace(Hash128{}, kInitialState);
}

ActionId HbStates::add_action(const Execution& execution, std::span<const ActionId> of_events,
                              const PlannedChoice& planned) {
  const std::size_t here = execution.size() - 1;
  const Event& event = execution[here];
  Action action{.hash = {}, .event = event, .planned = planned, .previous = kNoId, .past = {}};
  Hasher hasher;
  hasher.add((std::uint64_t{event.thread.value} << 40U) + (std::uint64_t{event.outcome} << 8U) +
             static_cast<std::uint64_t>(event.op.kind));
  const std::span<const Execution::Tick> clock = execution.clock(here);
  for (std::size_t t = 0; t < clock.size(); ++t) {
    const bool own = t == event.thread.value;
    const Execution::Tick index = own ? clock[t] - 1 : clock[t];
    if (index == 0) continue;
    const ActionId before = of_events[execution.position(ThreadId{static_cast<std::uint16_t>(t)}, index)];
    if (own) {
      action.previous = before;
    } else {
      put(action.past, t, before);
    }
    hasher.add(t);
    hasher.add(actions_[before].hash.high);
    hasher.add(actions_[before].hash.low);
  }
  action.hash = hasher.hash;
  const auto [entry, is_new] = action_table_.try_emplace(action.hash, static_cast<ActionId>(actions_.size()));
  if (is_new) {
    actions_.push_back(std::move(action));
  } else if (exact_) {
    HEDDLE_REQUIRE(same(actions_[entry->second], action), "two actions have one hash");
  }
  return entry->second;
}

bool HbStates::same(const Action& a, const Action& b) const {
  return a.event.thread == b.event.thread && a.event.op.kind == b.event.op.kind && a.event.index == b.event.index &&
         a.event.outcome == b.event.outcome && a.planned.digest == b.planned.digest && a.previous == b.previous &&
         same_actions(a.past, b.past);
}

StateId HbStates::find_or_add(const Hash128& hash, std::vector<ActionId> last) {
  const auto [entry, is_new] = state_table_.try_emplace(hash, static_cast<StateId>(states_.size()));
  if (is_new) {
    HbState& state = states_.emplace_back();
    state.hash = hash;
    state.last = std::move(last);
  } else if (exact_) {
    HEDDLE_REQUIRE(same_actions(states_[entry->second].last, last), "two happens-before states have one hash");
  }
  return entry->second;
}

StateId HbStates::add_successor(StateId state, ActionId action) {
  std::vector<ActionId> last = states_[state].last;
  put(last, actions_[action].event.thread.value, action);
  return find_or_add(states_[state].hash ^ actions_[action].hash, std::move(last));
}

StateId HbStates::find_predecessor(StateId state, ThreadId thread) const {
  const ActionId undone = states_[state].last_of(thread);
  const auto entry = state_table_.find(states_[state].hash ^ actions_[undone].hash);
  return entry == state_table_.end() ? kNoId : entry->second;
}

StateId HbStates::add_predecessor(StateId state, ThreadId thread) {
  const ActionId undone = states_[state].last_of(thread);
  std::vector<ActionId> last = states_[state].last;
  last[thread.value] = actions_[undone].previous;
  return find_or_add(states_[state].hash ^ actions_[undone].hash, std::move(last));
}

void HbStates::learn_steps(StateId state, const Program& program) {
  HbState& learnt = states_[state];
  if (learnt.known) return;
  learnt.known = true;
  const ThreadSet& enabled = program.enabled();
  for (auto thread = enabled.first(); thread; thread = enabled.after(*thread)) {
    const ThreadState& pending = program.thread(*thread);
    const std::uint32_t question = digest(pending.pending);
    for (Outcome outcome = pending.outcomes.first; outcome < pending.outcomes.end(); ++outcome) {
      learnt.steps.push_back({{{*thread, outcome}, question}, kNoId});
    }
  }
}

void HbStates::learn_next(StateId state, Choice choice, StateId next) {
  if (states_[state].known) states_[state].step(choice).next = next;
}

void HbStates::frontier(StateId state, std::vector<ThreadId>& threads) const {
  threads.clear();
  const std::vector<ActionId>& last = states_[state].last;
  for (std::size_t t = 0; t < last.size(); ++t) {
    if (last[t] == kNoId) continue;
    // Followed by another thread's action iff by its last one: those that come later follow whatever earlier ones do.
    const bool followed = std::any_of(last.begin(), last.end(), [&](ActionId other) {
      return other != kNoId && other != last[t] && at(actions_[other].past, t) == last[t];
    });
    if (!followed) threads.push_back(ThreadId{static_cast<std::uint16_t>(t)});
  }
}

std::vector<PlannedChoice> HbStates::schedule(StateId state) const {
  // An action's past has fewer actions than itself, so depth first over pasts ends; each action is taken after those.
  std::vector<PlannedChoice> choices;
  std::unordered_map<ActionId, bool> taken;  // false: being looked at
  std::vector<ActionId> stack;
  const auto want = [&](ActionId action) {
    if (action != kNoId && !taken.contains(action)) stack.push_back(action);
  };
  for (const ActionId last : states_[state].last) {
    want(last);
    while (!stack.empty()) {
      const ActionId action = stack.back();
      const auto [entry, is_new] = taken.try_emplace(action, false);
      if (is_new) {
        want(actions_[action].previous);
        for (const ActionId before : actions_[action].past) want(before);
        continue;
      }
      stack.pop_back();
      if (entry->second) continue;
      entry->second = true;
      choices.push_back(actions_[action].planned);
    }
  }
  return choices;
}

Departure& HbStates::departure(StateId state, ThreadId thread) {
  std::vector<Departure>& departures = states_[state].departures;
  const auto found = std::find_if(departures.begin(), departures.end(),
                                  [&](const Departure& departure) { return departure.thread == thread; });
  if (found != departures.end()) return *found;
  return departures.emplace_back(Departure{.thread = thread, .via = thread});
}

// The tables follow from the hashes.
void HbStates::archive(Archive& archive) {
  archive(actions_, [&](Action& action) {
    archive(action.hash);
    archive(action.event);
    archive(action.planned);
    archive(action.previous);
    archive(action.past);
  });
  archive(states_, [&](HbState& state) {
    archive(state.hash);
    archive(state.last);
    archive(state.steps);
    archive(state.departures);
    archive(state.known);
    archive(state.in_table);
  });
  if (!archive.reading()) return;
  action_table_.clear();
  for (ActionId id = 0; id < actions_.size(); ++id) action_table_.emplace(actions_[id].hash, id);
  state_table_.clear();
  for (StateId id = 0; id < states_.size(); ++id) state_table_.emplace(states_[id].hash, id);
}

}  // namespace heddle
