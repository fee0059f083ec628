#include "program/recheck.hpp"

#include <bit>

namespace heddle {

void Recheck::restart() {
  const bool again = sampled_ && inner_.phase() == ProgramPhase::Running;
  sampled_ = std::has_single_bit(++executions_) || sample_ == Sample::All;
  inner_.restart();
  if (again) {
    // A run that falls short leaves the program failed, with a finding that says so: the search ends there.
    if (inner_.run(last_) < last_.size()) return;
    inner_.restart();
  }
  last_.clear();
}

const Event& Recheck::step(Choice choice) {
  if (sampled_) last_.push_back({choice, digest(inner_.thread(choice.thread).pending)});
  return inner_.step(choice);
}

std::size_t Recheck::run(std::span<const PlannedChoice> prefix) {
  if (sampled_) last_.assign(prefix.begin(), prefix.end());
  return inner_.run(prefix);
}

}  // namespace heddle
