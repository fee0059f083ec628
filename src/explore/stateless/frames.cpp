#include "explore/stateless/frames.hpp"

#include <algorithm>

namespace heddle {

bool StateFrame::enabled(ThreadId thread) const {
  return std::any_of(alternatives.begin(), alternatives.end(),
                     [&](const Alternative& a) { return a.thread == thread; });
}

bool StateFrame::backtracks(ThreadId thread) const {
  return std::find(backtrack.begin(), backtrack.end(), thread) != backtrack.end();
}

bool Frames::sleeps(const StateFrame& frame, Choice choice) const {
  return std::any_of(frame.asleep.begin(), frame.asleep.end(), [&](std::uint32_t number) {
    const Event& event = sleepers_[number].event;
    return event.thread == choice.thread && event.outcome == choice.outcome;
  });
}

MaybeChoice Frames::awake(const StateFrame& frame, ThreadId thread) const {
  for (const StateFrame::Alternative& alternative : frame.alternatives) {
    if (alternative.thread != thread) continue;
    for (Outcome outcome = alternative.outcomes.first; outcome < alternative.outcomes.end(); ++outcome) {
      if (!sleeps(frame, {thread, outcome})) return Choice{thread, outcome};
    }
  }
  return std::nullopt;
}

MaybeChoice Frames::first_awake(const StateFrame& frame) const {
  for (const StateFrame::Alternative& alternative : frame.alternatives) {
    if (const auto choice = awake(frame, alternative.thread)) return choice;
  }
  return std::nullopt;
}

MaybeChoice Frames::first_awake(const StateFrame& frame, const Program& program, std::size_t& passed_over) const {
  // Others may go round in a loop that what comes behind the join would end.
  constexpr std::size_t kPatience = 100;
  const ThreadSet& enabled = program.enabled();
  const bool lowest = order_ == ThreadOrder::Lowest;
  MaybeChoice join = std::nullopt;
  for (auto thread = lowest ? enabled.first() : enabled.last(); thread;
       thread = lowest ? enabled.after(*thread) : enabled.before(*thread)) {
    const ThreadState& state = program.thread(*thread);
    const bool joins = is_plain_join(state) && passed_over < kPatience;
    if (joins && join) continue;
    for (Outcome outcome = state.outcomes.first; outcome < state.outcomes.end(); ++outcome) {
      if (sleeps(frame, {*thread, outcome})) continue;
      if (!joins) {
        passed_over = join ? passed_over + 1 : 0;
        return whole_choice(*thread, outcome);
      }
      join = whole_choice(*thread, outcome);
      break;
    }
  }
  passed_over = 0;
  return join;
}

void Frames::find_alternatives(const Program& program, const ThreadSet& tried) {
  std::vector<StateFrame::Alternative>& alternatives = top().alternatives;
  for (auto thread = tried.first(); thread; thread = tried.after(*thread)) {
    alternatives.push_back({*thread, program.thread(*thread).outcomes});
  }
  if (order_ == ThreadOrder::Highest) std::reverse(alternatives.begin(), alternatives.end());
  top().leaves_out = alternatives.size() < program.enabled().size();
}

StateFrame& Frames::push(const Event* last, bool inherit, Execution::Place place) {
  if (size_ == frames_.size()) frames_.emplace_back();
  StateFrame& frame = frames_[size_];
  frame.alternatives.clear();
  frame.leaves_out = false;
  frame.asleep.clear();
  frame.backtrack.clear();
  frame.first_sleeper = sleepers_.size();
  if (last != nullptr && inherit) {
    for (const std::uint32_t number : frames_[size_ - 1].asleep) {
      Sleeper& sleeper = sleepers_[number];
      const bool woken =
          sleeper.event.thread == last->thread || Execution::dependent(sleeper.event, sleeper.place, *last, place);
      sleeper.woken_at = woken ? static_cast<std::uint32_t>(size_ - 1) : Sleeper::kNever;
      if (!woken) frame.asleep.push_back(number);
    }
  }
  ++size_;
  return frame;
}

void Frames::pop() {
  --size_;
  sleepers_.resize(frames_[size_].first_sleeper);
}

void Frames::archive(Archive& archive) {
  frames_.resize(size_);
  archive(frames_, [&](StateFrame& frame) {
    archive(frame.alternatives);
    archive(frame.leaves_out);
    archive(frame.asleep);
    archive(frame.first_sleeper);
    archive(frame.backtrack);
  });
  size_ = frames_.size();
  archive(sleepers_);
}

void Frames::put_to_sleep(const Event& event, Execution::Place place) {
  // Who was woken further on sleeps again: the execution takes another way from here.
  for (const std::uint32_t number : top().asleep) sleepers_[number].woken_at = Sleeper::kNever;
  top().asleep.push_back(static_cast<std::uint32_t>(sleepers_.size()));
  sleepers_.push_back({event, Sleeper::kNever, place});
}

}  // namespace heddle
