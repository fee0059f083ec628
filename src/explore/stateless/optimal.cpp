#include "explore/stateless/optimal.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

MaybeChoice OptimalReduction::first_choice(const Program& program) {
  if (!withheld_.empty()) {
    const MaybeChoice join = join_alone(program);
    if (join) return join;
    put_in_withheld();
  }
  const std::size_t depth = execution_.size();
  const StateFrame& frame = push_frame();
  WakeupTree::Node& here = path_[depth];
  if (!tree_.empty(here)) {
    path_.push_back(tree_.take_first(here));
    return tree_.choice(path_.back());
  }
  // Nothing is planned: any choice will do. The outcomes of a data choice, which nothing depends on, are branched over
  // here and only here; inside a wakeup sequence they are part of it. For other outcomes see add_alternatives.
  const MaybeChoice awake = frames_.first_awake(frame, program, passed_over_);
  if (!awake) return std::nullopt;
  const Choice any = *awake;
  const ThreadState& state = program.thread(any.thread);
  if (can_withhold(state)) {
    withholding_ = true;
    return any;
  }
  if (state.pending.kind == OpKind::Choose) {
    for (Outcome outcome = any.outcome + 1; outcome < state.outcomes.end(); ++outcome) {
      if (!frames_.sleeps(frame, {any.thread, outcome})) tree_.plan(here, {any.thread, outcome});
    }
  }
  path_.push_back(WakeupTree::kNone);
  return any;
}

// The state that the execution has come to.
StateFrame& OptimalReduction::push_frame() {
  const std::size_t depth = execution_.size();
  if (depth == 0) return frames_.push(nullptr);
  return frames_.push(&execution_[depth - 1], true, execution_.place(depth - 1));
}

bool OptimalReduction::can_withhold(const ThreadState& state) const {
  return is_plain_join(state) && execution_.touched_by_none(joined_by(state.pending));
}

// The join to go on with, if nothing else can. It is not asleep: only what has a race goes to sleep.
MaybeChoice OptimalReduction::join_alone(const Program& program) {
  const ThreadSet& enabled = program.enabled();
  const std::optional<ThreadId> only = enabled.first();
  withholding_ = only && !enabled.has_several() && can_withhold(program.thread(*only));
  if (!withholding_) return std::nullopt;
  return Choice{*only, program.thread(*only).outcomes.first};
}

void OptimalReduction::performed(const Program& /*program*/, const Event& event) {
  if (withholding_) {
    withholding_ = false;
    withheld_.push_back(event);
    if (!is_plain_join(event)) put_in_withheld();
    return;
  }
  tree_.performed(path_.back(), event);
  execution_.push(event);
}

// A join behind a withheld one: what join_alone and `performed` do.
bool OptimalReduction::joins_next(const Event& event, const Operation& join) {
  if (!withholding_ || join.timed || !is_plain_join(event)) return false;
  if (!execution_.touched_by_none(joined_by(join))) return false;
  withheld_.push_back(event);
  return true;
}

void OptimalReduction::put_in_withheld() {
  for (std::size_t i = 0; i < withheld_.size(); ++i) {
    if (i > 0) push_frame();
    path_.push_back(WakeupTree::kNone);
    execution_.push(withheld_[i]);
  }
  withheld_.clear();
}

void OptimalReduction::ended(const Program& program, bool cut) {
  if (!cut && program.all_ended()) {
    withheld_.clear();
    pending_.clear();
  } else {
    put_in_withheld();
    pending_ = pending_operations(program, execution_, cut);
  }
}

// The races of a maximal execution (algorithm 2, its first half).
void OptimalReduction::detect_races(Prober& prober) {
  if (!races_) races_.emplace(execution_, prober);
  Races& races = *races_;
  ++looked_at_;
  if (settled_.size() < execution_.size()) settled_.resize(execution_.size());
  common_ = examined_.size();
  while (examined_.size() < execution_.size()) examine(examined_.size(), races, prober);
  if (dropped_ == 0) {
    // No need to look at events that have no races: there may be many more of them.
    for (const Reversal& reversal : reversals_) plan(reversal);
  } else {
    for (std::size_t k = 0; k < execution_.size(); ++k) plan_races_of(k, races);
  }
  for (const PendingOperation& pending : pending_) {
    races.of(pending.second(), execution_.size(), [&](const ReversedRace& race) { plan(race); });
  }
}

void OptimalReduction::plan_races_of(std::size_t event, Races& races) {
  if (examined_[event].dropped) {
    races.of(races.performed(event), execution_.size(), [&](const ReversedRace& race) { plan(race); });
    return;
  }
  const std::size_t end = event + 1 < examined_.size() ? examined_[event + 1].first_reversal : reversals_.size();
  for (std::size_t r = examined_[event].first_reversal; r < end; ++r) plan(reversals_[r]);
}

void OptimalReduction::examine(std::size_t event, Races& races, Prober& prober) {
  const auto first_reversal = static_cast<std::uint32_t>(reversals_.size());
  const auto first_other = static_cast<std::uint32_t>(others_.size());
  bool dropped = false;
  const auto note = [&](const ReversedRace& race) {
    const auto first = static_cast<Execution::Position>(race.first);
    if (race.same) {
      reversals_.emplace_back(first, true, static_cast<std::uint32_t>(event), execution_.place(event));
      return;
    }
    dropped = dropped || race.dropped;
    for (const Event& last : race.last) add_other(first, last);
  };
  if (execution_.contended(event)) {
    races.of(races.performed(event), execution_.size(), note, Reverser::Steps::NotWanted);
  }
  add_alternatives(event, prober);
  examined_.emplace_back(first_reversal, first_other, looked_at_, dropped);
  if (dropped) ++dropped_;
}

// Which waiter a signal wakes, whether a wait times out: the outcomes of one step may depend on different things, so
// that they are like operations of different threads of which one disables the others. The others are then pending and
// disabled for ever, and have a race with the one that was taken: what does not happen after that comes first.
void OptimalReduction::add_alternatives(std::size_t event, Prober& prober) {
  const Event& taken = execution_[event];
  if (!taken.several || taken.announced == OpKind::Choose) return;
  std::vector<Execution::Position> steps;
  for (std::size_t k = event + 1; k < execution_.size(); ++k) {
    if (!execution_.happens_before(event, k)) steps.push_back(static_cast<Execution::Position>(k));
  }
  for (const Event& alternative : prober.probe(event, steps, taken.thread)) {
    if (alternative.outcome == taken.outcome) continue;
    add_other(static_cast<Execution::Position>(event), alternative);
  }
}

void OptimalReduction::add_other(Execution::Position first, const Event& last) {
  reversals_.push_back({first, false, static_cast<std::uint32_t>(others_.size()), execution_.place(last)});
  others_.push_back(last);
}

void OptimalReduction::forget_beyond(std::size_t depth) {
  for (; examined_.size() > depth; examined_.pop_back()) {
    if (examined_.back().dropped) --dropped_;
    reversals_.resize(examined_.back().first_reversal);
    others_.resize(examined_.back().first_other);
  }
  tree_.forget_events_beyond(depth);
  execution_.truncate(depth);
}

// Whether sleep and weak initials meet. The sleeper begins the word if nothing in the word before its own step depends
// on it. All that happened before it woke up does not; that is known without looking.
bool OptimalReduction::covers(const Sleeper& sleeper, const Reversal& reversal, ForeignLetters& foreign) const {
  const std::size_t first = reversal.first;
  const Event& event = sleeper.event;
  const auto in_word = [&](std::size_t k) { return !execution_.happens_before(first, k); };
  // What woke it up depends on it, and comes before any step of its thread.
  if (sleeper.woken_at != Sleeper::kNever && sleeper.woken_at > first && in_word(sleeper.woken_at)) return false;
  // A sleeper's thread has taken no step since it went to sleep.
  std::size_t own = execution_.size();
  if (execution_.events_of(event.thread) >= event.index) {
    const std::size_t next = execution_.position(event.thread, event.index);
    if (in_word(next)) own = next;
  }
  if (own < execution_.size()) {
    if (!execution_.has_outcome(own, event.outcome)) return false;
  } else if (const Event& second = last(reversal);
             second.thread == event.thread ? second.outcome != event.outcome
                                           : Execution::dependent(event, sleeper.place, second, reversal.place)) {
    return false;
  }
  const std::size_t woken = sleeper.woken_at == Sleeper::kNever ? execution_.size() - 1 : sleeper.woken_at;
  const std::size_t from = std::max(woken, first + 1);
  if (!execution_.untouched_from(from, event.thread, sleeper.place) &&
      execution_.any_dependent(event, sleeper.place, from, [&](std::size_t k) { return k < own && in_word(k); })) {
    return false;
  }
  if (own == execution_.size()) foreign.add(event.thread, sleeper.place);
  return true;
}

void OptimalReduction::plan(const Reversal& reversal) {
  Settled& settled = settled_[reversal.first];
  // All races with one event have the same word but for its last letter. What settled an earlier one settles this one
  // if it has nothing to do with that letter: the sleeper, or the leaf of the tree, begins this word as well.
  const bool same = settled.execution == looked_at_ && settled.begin.begin_with(last(reversal).thread, reversal.place);
  if (!same) settle(reversal, settled);
  if (self_check_) check_settled(reversal);
}

void OptimalReduction::settle(const Reversal& reversal, Settled& settled) {
  if (settled_as_before(reversal, settled)) return;
  tree_.fetch_first(path_[reversal.first]);
  settled.sleeper = Settled::kNobody;
  settled.trail.clear();
  for (const std::uint32_t number : frames_[reversal.first].asleep) {
    if (!covers(frames_.sleeper(number), reversal, settled.begin)) continue;
    settled.sleeper = number;
    return;
  }
  if (self_check_) check_unplanned(reversal.first, by_definition(reversal));
  assign_word(reversal, reversal.first + 1);
  const bool planned = tree_.insert(path_[reversal.first], word_, settled.trail);
  settled.begin = word_.foreign();
  if (planned) settled.begin.add(last(reversal).thread, reversal.place);
}

// In an execution that begins like the last one most races are those that were looked at then, and the states before
// their first events have not been left since: sleepers and trees are still there. Any sleeper that begins the word
// will do, and so will any leaf of the tree that does, not only the one that a search from the root comes to. The way
// to the leaf that the last word came to is the same as far as the executions are.
bool OptimalReduction::settled_as_before(const Reversal& reversal, Settled& settled) {
  const std::uint64_t since = std::exchange(settled.execution, looked_at_);
  settled.begin.clear();
  if (since < examined_[reversal.first].execution) return false;  // it was another event
  if (settled.sleeper != Settled::kNobody) return covers(frames_.sleeper(settled.sleeper), reversal, settled.begin);
  std::size_t same = common_;
  while (same > 0 && examined_[same - 1].execution > since) --same;
  settled.trail.cut(same, last_position(reversal));
  if (settled.trail.empty()) return false;
  if (tree_.is_whole(settled.trail)) {
    if (settled.trail.has_last()) settled.begin.add(last(reversal).thread, reversal.place);
    return true;
  }
  if (!tree_.leads_to_leaf(settled.trail, reversal.first + 1, same,
                           [&](std::size_t from) -> NotdepWord& { return assign_word(reversal, from); })) {
    return false;
  }
  settled.begin = word_.foreign();
  return true;
}

void OptimalReduction::plan(const ReversedRace& race) {
  for (const Event& last : race.last) {
    ListedWord word;
    for (const Execution::Position step : race.steps) word.append(execution_[step]);
    word.append(last);
    const ListedWord whole = word;
    WakeupTree::Trail trail;
    if (!sleeper_begins(race.first, word)) tree_.insert(path_[race.first], word, trail);
    if (self_check_) check_settled(race.first, whole);
  }
}

std::optional<Reduction::Branch> OptimalReduction::backtrack(Prober& prober) {
  detect_races(prober);
  passed_over_ = 0;
  frames_.truncate(execution_.size());
  while (!frames_.empty()) {
    const std::size_t depth = frames_.size() - 1;
    tree_.leave(path_[depth + 1]);
    path_.resize(depth + 1);
    if (!tree_.empty(path_[depth])) {
      frames_.put_to_sleep(execution_[depth], execution_.place(depth));
      forget_beyond(depth);
      const WakeupTree::Node next = tree_.take_first(path_[depth]);
      tree_.prefetch(next);
      path_.push_back(next);
      return Branch{depth, tree_.choice(next)};
    }
    frames_.pop();
  }
  forget_beyond(0);
  return std::nullopt;
}

bool OptimalReduction::archive(Archive& archive) {
  execution_.archive(archive);
  frames_.archive(archive);
  tree_.archive(archive);
  archive(path_);
  archive(examined_);
  archive(reversals_);
  archive(others_);
  archive(dropped_);
  archive(looked_at_);
  return true;
}

}  // namespace heddle
