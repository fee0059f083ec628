#include "explore/stateless/sleep.hpp"

namespace heddle {

MaybeChoice SleepReduction::first_choice(const Program& program) {
  frames_.push(events_.empty() ? nullptr : &events_.back());
  frames_.find_alternatives(program, sets_ ? sets_->find(program) : program.enabled());
  return frames_.first_awake(frames_.top());
}

void SleepReduction::performed(const Program& program, const Event& event) {
  if (sets_) sets_->check_step(program, event);
  events_.push_back(event);
}

std::optional<Reduction::Branch> SleepReduction::backtrack(Prober& /*prober*/) {
  if (sets_) sets_->forget_state();
  // A state where everything is asleep has a frame but no event.
  frames_.truncate(events_.size());
  while (!frames_.empty()) {
    frames_.put_to_sleep(events_.back());
    events_.pop_back();
    if (const auto choice = frames_.first_awake(frames_.top())) return Branch{frames_.size() - 1, *choice};
    frames_.pop();
  }
  return std::nullopt;
}

bool SleepReduction::archive(Archive& archive) {
  frames_.archive(archive);
  archive(events_);
  return true;
}

}  // namespace heddle
