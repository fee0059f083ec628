#include "explore/stateless/optimal.hpp"

#include <algorithm>

namespace heddle {

std::optional<Choice> OptimalReduction::first_choice(const Program& program) {
  const std::size_t depth = execution_.size();
  const StateFrame& frame = frames_.push(depth == 0 ? nullptr : &execution_[depth - 1]);
  WakeupTree::Node& here = path_[depth];
  if (!tree_.empty(here)) {
    path_.push_back(tree_.take_first(here));
    return tree_.choice(path_.back());
  }
  // Nothing is planned: any choice will do. The outcomes of a data choice, which nothing depends on, are branched over
  // here and only here; inside a wakeup sequence they are part of it. For other outcomes see add_alternatives.
  const std::optional<StateFrame::Alternative> any = frames_.first_awake(frame, program);
  if (!any) return std::nullopt;
  const Outcome taken = any->outcomes.first;
  const bool data = program.thread(any->thread).pending.kind == OpKind::Choose;
  const Outcome end = data ? any->outcomes.end() : taken + 1;
  for (Outcome outcome = taken + 1; outcome < end; ++outcome) {
    if (!frames_.sleeps(frame, {any->thread, outcome})) tree_.plan(here, {any->thread, outcome});
  }
  path_.push_back(WakeupTree::kNone);
  return Choice{any->thread, taken};
}

void OptimalReduction::performed(const Program& /*program*/, const Event& event) {
  tree_.performed(path_.back(), event);
  execution_.push(event);
}

void OptimalReduction::ended(const Program& program, bool cut) {
  pending_ = pending_operations(program, execution_, cut);
}

// The races of a maximal execution (algorithm 2, its first half).
void OptimalReduction::detect_races(Prober& prober) {
  Races races(execution_, prober);
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
  Examined examined{static_cast<std::uint32_t>(reversals_.size()), false};
  const auto note = [&](const ReversedRace& race) {
    examined.dropped = examined.dropped || race.dropped;
    for (const Event& last : race.last) {
      reversals_.push_back({static_cast<Execution::Position>(race.first), last});
    }
  };
  if (execution_.contended(event)) {
    races.of(races.performed(event), execution_.size(), note, Reverser::Steps::NotWanted);
  }
  add_alternatives(event, prober);
  examined_.push_back(examined);
  if (examined.dropped) ++dropped_;
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
    reversals_.push_back({static_cast<Execution::Position>(event), alternative});
  }
}

void OptimalReduction::forget_beyond(std::size_t depth) {
  for (; examined_.size() > depth; examined_.pop_back()) {
    if (examined_.back().dropped) --dropped_;
    reversals_.resize(examined_.back().first_reversal);
  }
  execution_.truncate(depth);
}

// Whether sleep and weak initials meet. The sleeper begins the word if nothing in the word before its own step depends
// on it. All that happened before it woke up does not; that is known without looking.
bool OptimalReduction::covers(const Sleeper& sleeper, const Reversal& reversal) const {
  const std::size_t first = reversal.first;
  const Event& event = sleeper.event;
  const auto in_word = [&](std::size_t k) { return !execution_.happens_before(first, k); };
  // A sleeper's thread has taken no step since it went to sleep.
  std::size_t own = execution_.size();
  if (execution_.events_of(event.thread) >= event.index) {
    const std::size_t next = execution_.position(event.thread, event.index);
    if (in_word(next)) own = next;
  }
  if (own < execution_.size()) {
    if (execution_[own].outcome != event.outcome) return false;
  } else if (reversal.last.thread == event.thread ? reversal.last.outcome != event.outcome
                                                  : dependent(event, reversal.last)) {
    return false;
  }
  const std::size_t woken = sleeper.woken_at == Sleeper::kNever ? execution_.size() - 1 : sleeper.woken_at;
  return !execution_.any_related(event, std::max(woken, first + 1), [&](std::size_t k) {
    return k < own && in_word(k) && dependent(event, execution_[k]);
  });
}

void OptimalReduction::plan(const Reversal& reversal) {
  for (const std::uint32_t number : frames_[reversal.first].asleep) {
    if (covers(frames_.sleeper(number), reversal)) return;
  }
  word_.assign(reversal.first, reversal.last);
  tree_.insert(path_[reversal.first], word_);
}

void OptimalReduction::plan(const ReversedRace& race) {
  for (const Event& last : race.last) {
    ListedWord word;
    for (const Execution::Position step : race.steps) word.append(execution_[step]);
    word.append(last);
    const std::vector<std::uint32_t>& asleep = frames_[race.first].asleep;
    const bool covered = std::any_of(asleep.begin(), asleep.end(), [&](std::uint32_t number) {
      return word.weak_initial(frames_.sleeper(number).event);
    });
    if (!covered) tree_.insert(path_[race.first], word);
  }
}

std::optional<Reduction::Branch> OptimalReduction::backtrack(Prober& prober) {
  detect_races(prober);
  frames_.truncate(execution_.size());
  while (!frames_.empty()) {
    const std::size_t depth = frames_.size() - 1;
    tree_.leave(path_[depth + 1]);
    path_.resize(depth + 1);
    if (!tree_.empty(path_[depth])) {
      frames_.put_to_sleep(execution_[depth]);
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
  archive(dropped_);
  return true;
}

}  // namespace heddle
