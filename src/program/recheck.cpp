#include "program/recheck.hpp"

#include <bit>

namespace heddle {

// Runs the execution that ends here again, if it is one of the sample. A run that falls short leaves the program
// failed, with a finding that says so: the search ends there.
bool Recheck::last_repeats() {
  const bool again = sampled_ && inner_.phase() == ProgramPhase::Running;
  sampled_ = std::has_single_bit(++executions_) || sample_ == Sample::All;
  if (again) {
    inner_.restart();
    if (inner_.run(last_) < last_.size()) return false;
  }
  last_.clear();
  return true;
}

void Recheck::restart() {
  if (last_repeats()) inner_.restart();
}

std::size_t Recheck::rerun(std::span<const PlannedChoice> prefix, std::size_t same) {
  if (!last_repeats()) return 0;
  if (sampled_) last_.assign(prefix.begin(), prefix.end());
  return inner_.rerun(prefix, same);
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
