#include "explore/bounded/bounded_dfs.hpp"

#include <algorithm>

namespace heddle {

MaybeChoice BoundedDfs::first_choice(const Program& program) {
  const bool at_start = frames_.empty();
  const Alternative before = at_start ? Alternative{} : alternatives_.back();
  const ThreadSet& enabled = program.enabled();
  const std::size_t begin = alternatives_.size();
  frames_.push_back(begin);
  for (auto thread = enabled.first(); thread; thread = enabled.after(*thread)) {
    // A switch away from a thread that has ended or is blocked is free, whatever has been used up.
    const ThreadId last = before.choice.thread;
    const bool preempts = !at_start && *thread != last && enabled.contains(last);
    const std::uint32_t preemptions = before.preemptions + (preempts ? 1U : 0U);
    if (preemptions > bound_) {
      left_out_ = true;
      continue;
    }
    const Outcomes outcomes = program.thread(*thread).outcomes;
    for (Outcome outcome = outcomes.first; outcome < outcomes.end(); ++outcome) {
      alternatives_.push_back({{*thread, outcome}, preemptions});
    }
  }
  if (order_ == ThreadOrder::Lowest) {
    std::reverse(alternatives_.begin() + static_cast<std::ptrdiff_t>(begin), alternatives_.end());
  }
  return alternatives_.back().choice;
}

void BoundedDfs::performed(const Program& /*program*/, const Event& /*event*/) {}

std::optional<Reduction::Branch> BoundedDfs::backtrack(Prober& /*prober*/) {
  while (!frames_.empty()) {
    alternatives_.pop_back();
    if (alternatives_.size() > frames_.back()) return Branch{frames_.size() - 1, alternatives_.back().choice};
    frames_.pop_back();
  }
  return std::nullopt;
}

bool BoundedDfs::archive(Archive& archive) {
  archive(alternatives_);
  archive(frames_);
  archive(left_out_);
  return true;
}

}  // namespace heddle
