#include "explore/stateless/conflicts.hpp"

#include <algorithm>

#include "model/accesses.hpp"

namespace heddle {

void Conflicts::start(const SecondEvent& second) {
  candidates_.clear();
  accepted_.clear();
  for (const Execution::Access& access : second.accesses) {
    execution_.conflicts(access.frontier, access, candidates_);
  }
  if (is_total(second.event)) {
    // Everything is a conflict: the last event of each thread so far.
    for (std::size_t t = 0; t < execution_.thread_count(); ++t) {
      add(execution_.last_before(ThreadId{static_cast<std::uint16_t>(t)}, second.position));
    }
  } else {
    add(execution_.last_total(second.position));
    add(execution_.last_attempt(second.event.thread, second.position));
  }
  if (may_give_up_joining(second.event)) {
    add(execution_.last_before(ThreadId{static_cast<std::uint16_t>(second.event.op.second)}, second.position));
  }
}

void Conflicts::add(Execution::Position conflict) {
  if (conflict != Execution::kNone) candidates_.push_back(conflict);
}

Execution::Position Conflicts::next() {
  if (candidates_.empty()) return Execution::kNone;
  if (candidates_.size() == 1) {
    const Execution::Position only = candidates_.front();
    candidates_.clear();
    return only;
  }
  const Execution::Position latest = *std::max_element(candidates_.begin(), candidates_.end());
  std::erase(candidates_, latest);
  return latest;
}

bool Conflicts::hidden(std::size_t conflict, const SecondEvent& second) const {
  if (execution_[conflict].thread == second.event.thread) return true;
  if (second.previous != Execution::kNone && execution_.happens_before(conflict, second.previous)) return true;
  return std::any_of(accepted_.begin(), accepted_.end(),
                     [&](std::size_t later) { return execution_.happens_before(conflict, later); });
}

void Conflicts::reject(std::size_t conflict, const SecondEvent& second) {
  for (const Execution::Access& access : second.accesses) {
    for (const Execution::Access& in_the_way : execution_.accesses(conflict)) {
      if (in_the_way.object == access.object) execution_.conflicts(in_the_way.frontier, access, candidates_);
    }
  }
  const Event& event = execution_[conflict];
  if (is_total(second.event)) {
    if (event.index > 1) candidates_.push_back(execution_.position(event.thread, event.index - 1));
  } else if (is_total(event)) {
    add(execution_.last_total(conflict));
  }
  // Behind an attempt to join there is nothing to look for: earlier ones come before it, and whatever the second event
  // had to wait for follows them as well.
}

}  // namespace heddle
