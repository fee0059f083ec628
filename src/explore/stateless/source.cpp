#include "explore/stateless/source.hpp"

#include <algorithm>

namespace heddle {

MaybeChoice SourceReduction::first_choice(const Program& program) {
  const std::size_t depth = execution_.size();
  StateFrame& frame = frames_.push(depth == 0 ? nullptr : &execution_[depth - 1]);
  frames_.find_alternatives(program, program.enabled());
  const MaybeChoice choice = frames_.first_awake(frame);
  if (choice) frame.backtrack.push_back((*choice).thread);
  return choice;
}

void SourceReduction::performed(const Program& program, const Event& event) {
  execution_.push(event);
  // A disabled operation has new races in this state only with the event just performed, or if it is new itself.
  for (std::size_t t = 0; t < program.thread_count(); ++t) {
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    const ThreadState& state = program.thread(thread);
    if (state.phase != ThreadPhase::Pending || state.outcomes.count > 0) continue;
    if (state.pending.kind == OpKind::Unknown) continue;
    const Event next = foreseen(thread, state.pending, execution_);
    const bool created = event.op.kind == OpKind::ThreadCreate && event.op.second == t;
    if (thread == event.thread || created || next.op.timed || dependent(next, event)) {
      blocked_.push_back(meet(next, execution_));
    }
  }
}

void SourceReduction::ended(const Program& program, bool cut) {
  if (!cut) return;
  for (PendingOperation& pending : pending_operations(program, execution_, true)) {
    blocked_.push_back(std::move(pending));
  }
}

void SourceReduction::find_initials(const ReversedRace& race, const Event& last) {
  initials_.clear();
  firsts_.assign(execution_.thread_count(), Execution::kNone);
  bool last_is_free = true;
  for (const Execution::Position step : race.steps) {
    const Event& event = execution_[step];
    last_is_free = last_is_free && !dependent(event, last);
    if (firsts_[event.thread.value] != Execution::kNone) continue;
    firsts_[event.thread.value] = step;
    // If any step of a thread happens before this one, then the thread's first step does.
    const bool follows = std::any_of(firsts_.begin(), firsts_.end(), [&](Execution::Position first) {
      return first != Execution::kNone && first != step && execution_.happens_before(first, step);
    });
    if (!follows) initials_.push_back(event.thread);
  }
  if (last_is_free) initials_.push_back(last.thread);
}

// The body of algorithm 1's loop over races.
void SourceReduction::add_initial(const ReversedRace& race) {
  StateFrame& frame = frames_[race.first];
  for (const Event& last : race.last) {
    find_initials(race, last);
    const auto planned = [&](ThreadId thread) { return frame.backtracks(thread); };
    if (std::any_of(initials_.begin(), initials_.end(), planned)) continue;
    frame.backtrack.push_back(initials_.front());
  }
}

MaybeChoice SourceReduction::next(const StateFrame& frame) const {
  for (const ThreadId thread : frame.backtrack) {
    if (const auto choice = frames_.awake(frame, thread)) return choice;
  }
  return std::nullopt;
}

std::optional<Reduction::Branch> SourceReduction::backtrack(Prober& prober) {
  Races races(execution_, prober);
  const auto handle = [&](const ReversedRace& race) { add_initial(race); };
  for (std::size_t k = examined_; k < execution_.size(); ++k) races.of(races.performed(k), k, handle);
  for (const PendingOperation& pending : blocked_) races.of(pending.second(), pending.position, handle);
  blocked_.clear();
  frames_.truncate(execution_.size());
  while (!frames_.empty()) {
    const std::size_t depth = frames_.size() - 1;
    frames_.put_to_sleep(execution_[depth]);
    execution_.pop();
    if (const auto choice = next(frames_.top())) {
      examined_ = depth;
      return Branch{depth, *choice};
    }
    frames_.pop();
  }
  return std::nullopt;
}

bool SourceReduction::archive(Archive& archive) {
  execution_.archive(archive);
  frames_.archive(archive);
  archive(examined_);
  return true;
}

}  // namespace heddle
