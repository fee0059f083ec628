#include "explore/stateless/none.hpp"

#include <algorithm>

namespace heddle {

MaybeChoice NoReduction::first_choice(const Program& program) {
  const std::size_t begin = alternatives_.size();
  frames_.push_back(begin);
  const ThreadSet& tried = sets_ ? sets_->find(program) : program.enabled();
  tried.for_each([&](ThreadId thread) {
    const Outcomes outcomes = program.thread(thread).outcomes;
    alternatives_.push_back({thread, outcomes.first, outcomes.end()});
  });
  if (order_ == ThreadOrder::Lowest) {
    std::reverse(alternatives_.begin() + static_cast<std::ptrdiff_t>(begin), alternatives_.end());
  }
  Alternative& front = alternatives_.back();
  return Choice{front.thread, front.next++};
}

void NoReduction::performed(const Program& program, const Event& event) {
  if (sets_) sets_->check_step(program, event);
}

std::optional<Reduction::Branch> NoReduction::backtrack(Prober& /*prober*/) {
  if (sets_) sets_->forget_state();
  while (!frames_.empty()) {
    while (alternatives_.size() > frames_.back()) {
      Alternative& alternative = alternatives_.back();
      if (alternative.next < alternative.end) {
        return Branch{frames_.size() - 1, Choice{alternative.thread, alternative.next++}};
      }
      alternatives_.pop_back();
    }
    frames_.pop_back();
  }
  return std::nullopt;
}

bool NoReduction::archive(Archive& archive) {
  archive(alternatives_);
  archive(frames_);
  return true;
}

}  // namespace heddle
