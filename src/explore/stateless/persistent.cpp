#include "explore/stateless/persistent.hpp"

#include <algorithm>

#include "model/accesses.hpp"

namespace heddle {
namespace {

// An acquire and a release of one lock are never enabled together (section 4.2).
bool may_be_coenabled(const Event& earlier, const Event& next) {
  const bool release =
      earlier.op.kind == OpKind::MutexUnlock && earlier.before == earlier.thread.value + std::uint64_t{1};
  return !(release && next.announced == OpKind::MutexLock && next.op.object == earlier.op.object && !next.op.timed);
}

}  // namespace

MaybeChoice PersistentReduction::first_choice(const Program& program) {
  const std::size_t depth = execution_.size();
  StateFrame& frame = frames_.push(depth == 0 ? nullptr : &execution_[depth - 1], options_.sleep_sets);
  frames_.find_alternatives(program, sets_ ? sets_->find(program) : program.enabled());
  MaybeChoice choice = frames_.first_awake(frame);
  if (!choice && frame.leaves_out) {
    // All of the static set is asleep: what follows is covered, but the conflicts of what the others are yet to do with
    // this execution are not known from elsewhere. As without static sets, it ends where everybody is asleep.
    frame.alternatives.clear();
    frames_.find_alternatives(program, program.enabled());
    choice = frames_.first_awake(frame);
  }
  if (choice) frame.backtrack.push_back((*choice).thread);
  return choice;
}

void PersistentReduction::performed(const Program& program, const Event& event) {
  if (sets_) sets_->check_step(program, event);
  // An event that turned out to depend on everything was not foreseen as one.
  if (is_total(event)) add_backtracking_points(meet(event, execution_));
  execution_.push(event);
  for (std::size_t t = 0; t < program.thread_count(); ++t) {
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    const ThreadState& state = program.thread(thread);
    if (state.phase != ThreadPhase::Pending) continue;
    const bool stuck = state.outcomes.count == 0 && state.pending.kind == OpKind::Unknown;
    if (!stuck) add_backtracking_points(meet(foreseen(thread, state.pending, execution_), execution_));
  }
}

void PersistentReduction::add_backtracking_points(const PendingOperation& next) {
  switch (options_.variant) {
    case PersistentVariant::Combined: return add_for_all(next);
    case PersistentVariant::General:
      if (const auto i = last_by_traversal(next)) add_needed(*i, next);
      return;
    case PersistentVariant::Clocks:
      if (const auto i = last_by_traversal(next)) add_if_enabled(*i, next.event.thread);
      return;
    case PersistentVariant::LastAccess:
    case PersistentVariant::ReadWriteClocks: return add_for_last(next);
  }
}

// Whether the operation may have an access that conflicts with an event: a wait with a time limit has those of both of
// its ends.
bool PersistentReduction::meets(const PendingOperation& next, std::size_t i) const {
  return std::any_of(next.accesses.begin(), next.accesses.end(), [&](const Execution::Access& access) {
    return std::any_of(execution_.accesses(i).begin(), execution_.accesses(i).end(), [&](const auto& other) {
      return other.object == access.object && detail::conflict(other.bytes, other.mode, access.bytes, access.mode);
    });
  });
}

// Line 4 of figures 3 and 4.
std::optional<std::size_t> PersistentReduction::last_by_traversal(const PendingOperation& next) const {
  for (std::size_t i = execution_.size(); i-- > 0;) {
    const Event& event = execution_[i];
    if (event.thread == next.event.thread) continue;
    if (next.previous != Execution::kNone && execution_.happens_before(i, next.previous)) continue;
    const bool total = is_total(event) || is_total(next.event);
    const bool joins = may_give_up_joining(event) || may_give_up_joining(next.event);
    const bool conflict = total || (joins && dependent(event, next.event)) || meets(next, i);
    if (conflict && may_be_coenabled(event, next.event)) return i;
  }
  return std::nullopt;
}

// Line 4 of figure 5: the last access, without going through the execution. The figure assumes one object for each
// operation. One on several has a last access to each, and so has one whose bytes were accessed in part: all are taken
// up to one that covers them. What depends on everything is an access to all there is.
void PersistentReduction::add_for_last(const PendingOperation& next) {
  const SecondEvent second = next.second();
  conflicts_.start(second);
  const bool one_object = next.accesses.size() == 1 && !is_total(next.event) &&
                          execution_.last_total(next.position) == Execution::kNone &&
                          execution_.last_attempt(next.event.thread, next.position) == Execution::kNone;
  const auto covers = [&](std::size_t i) {
    const Execution::Access& access = next.accesses.front();
    return std::any_of(execution_.accesses(i).begin(), execution_.accesses(i).end(), [&](const auto& other) {
      return other.object == access.object && (access.bytes & ~other.bytes) == 0;
    });
  };
  for (auto i = conflicts_.next(); i != Execution::kNone; i = conflicts_.next()) {
    if (conflicts_.hidden(i, second)) continue;
    if (!may_be_coenabled(execution_[i], next.event)) {
      conflicts_.reject(i, second);
      continue;
    }
    add_if_enabled(i, next.event.thread);
    if (one_object && covers(i)) return;
  }
}

void PersistentReduction::add_for_all(const PendingOperation& next) {
  const SecondEvent second = next.second();
  // What led to the operation: all that happens before its thread's last event or before a conflict of its own.
  past_.assign(execution_.clock(0).size(), 0);
  const auto learn = [&](std::size_t event) {
    for (std::size_t t = 0; t < past_.size(); ++t) past_[t] = std::max(past_[t], execution_.clock(event)[t]);
  };
  if (next.previous != Execution::kNone) learn(next.previous);
  conflicts_.start(second);
  for (auto i = conflicts_.next(); i != Execution::kNone; i = conflicts_.next()) {
    if (!may_be_coenabled(execution_[i], next.event)) {
      conflicts_.reject(i, second);
      continue;
    }
    const bool hidden = conflicts_.hidden(i, second);
    std::vector<ThreadId> initials;
    if (!hidden) initials = initials_of(i, next);
    learn(i);
    // Had the operation been possible after that word without event i, the static set of the state before i, which has
    // none of the word's steps in it, were not persistent. So the two were never enabled together, and as with a lock
    // and its release the conflicts behind i count; event i itself is one that led to the operation.
    if (!hidden && initials.empty() && frames_[i].leaves_out) {
      conflicts_.reject(i, second);
      continue;
    }
    if (hidden) continue;
    conflicts_.accept(i);
    if (initials.empty()) {
      add_all(i);
    } else {
      add_one_of(i, initials, next.event.thread);
    }
  }
}

void PersistentReduction::add_needed(std::size_t i, const PendingOperation& next) {
  std::vector<ThreadId> needed;
  for (const StateFrame::Alternative& alternative : frames_[i].alternatives) {
    const ThreadId q = alternative.thread;
    bool leads = q == next.event.thread;
    for (std::size_t k = i + 1; k < execution_.size() && !leads; ++k) {
      leads =
          execution_[k].thread == q && next.previous != Execution::kNone && execution_.happens_before(k, next.previous);
    }
    if (leads) needed.push_back(q);
  }
  if (needed.empty()) {
    add_all(i);
  } else {
    add_one_of(i, needed, next.event.thread);
  }
}

void PersistentReduction::add_if_enabled(std::size_t i, ThreadId thread) {
  if (frames_[i].enabled(thread)) {
    add_one_of(i, {thread}, thread);
  } else {
    add_all(i);
  }
}

// The steps after i that led to the operation without happening after i, followed by the operation: the threads that
// can begin that word, and are enabled. (Conflicts before i that are yet to be learnt of tell nothing about steps after
// i.)
std::vector<ThreadId> PersistentReduction::initials_of(std::size_t i, const PendingOperation& next) const {
  std::vector<ThreadId> initials;
  std::vector<std::size_t> word;
  bool next_is_free = true;
  for (std::size_t k = i + 1; k < execution_.size(); ++k) {
    const Event& event = execution_[k];
    if (past_[event.thread.value] < event.index || execution_.happens_before(i, k)) continue;
    const auto precedes = [&](std::size_t earlier) { return execution_.happens_before(earlier, k); };
    if (std::none_of(word.begin(), word.end(), precedes)) initials.push_back(event.thread);
    next_is_free = next_is_free && !dependent(event, next.event) && !meets(next, k);
    word.push_back(k);
  }
  if (next_is_free) initials.push_back(next.event.thread);
  std::erase_if(initials, [&](ThreadId thread) { return !frames_[i].enabled(thread); });
  return initials;
}

void PersistentReduction::add_one_of(std::size_t i, const std::vector<ThreadId>& threads, ThreadId preferred) {
  StateFrame& frame = frames_[i];
  const auto planned = [&](ThreadId thread) { return frame.backtracks(thread); };
  if (std::any_of(threads.begin(), threads.end(), planned)) return;
  const bool possible = std::find(threads.begin(), threads.end(), preferred) != threads.end();
  frame.backtrack.push_back(possible ? preferred : threads.front());
}

void PersistentReduction::add_all(std::size_t i) {
  StateFrame& frame = frames_[i];
  for (const StateFrame::Alternative& alternative : frame.alternatives) {
    if (!frame.backtracks(alternative.thread)) frame.backtrack.push_back(alternative.thread);
  }
}

std::optional<Reduction::Branch> PersistentReduction::backtrack(Prober& /*prober*/) {
  if (sets_) sets_->forget_state();
  frames_.truncate(execution_.size());
  while (!frames_.empty()) {
    const std::size_t depth = frames_.size() - 1;
    StateFrame& frame = frames_.top();
    frames_.put_to_sleep(execution_[depth]);
    execution_.pop();
    for (const ThreadId thread : frame.backtrack) {
      if (const auto choice = frames_.awake(frame, thread)) return Branch{depth, *choice};
    }
    frames_.pop();
  }
  return std::nullopt;
}

bool PersistentReduction::archive(Archive& archive) {
  execution_.archive(archive);
  frames_.archive(archive);
  return true;
}

}  // namespace heddle
