#include "explore/sample/pct.hpp"

#include <algorithm>

namespace heddle {

Pct::Pct(std::uint64_t runs, std::uint64_t seed, std::uint32_t depth) : Sampler(runs, seed), depth_(depth) {}

void Pct::begin() {
  priorities_.clear();
  falls_.clear();
  next_fall_ = 0;
  const std::uint64_t decisions = report().decisions;
  if (decisions == 0) return;
  for (std::uint32_t i = 1; i < depth_; ++i) falls_.push_back({1 + random_.below(decisions), i});
  std::sort(falls_.begin(), falls_.end(), [](const Fall& a, const Fall& b) {
    return a.decision != b.decision ? a.decision < b.decision : a.priority < b.priority;
  });
}

ThreadId Pct::pick(const Program& program) {
  ThreadId thread = highest(program);
  for (; next_fall_ < falls_.size() && falls_[next_fall_].decision == decisions_; ++next_fall_) {
    priorities_[thread.value] = falls_[next_fall_].priority;
    thread = highest(program);
  }
  return thread;
}

ThreadId Pct::highest(const Program& program) {
  // Threads get their priority when they are first seen; all of them are above 2^32, the priorities of falls below.
  while (priorities_.size() < program.thread_count()) priorities_.push_back(random_.next() | (std::uint64_t{1} << 32U));
  const ThreadSet& enabled = program.enabled();
  ThreadId best = *enabled.first();
  for (auto thread = enabled.after(best); thread; thread = enabled.after(*thread)) {
    if (priorities_[thread->value] > priorities_[best.value]) best = *thread;
  }
  return best;
}

}  // namespace heddle
