#include "explore/stateless/word.hpp"

#include <algorithm>

#include "model/dependency.hpp"

namespace heddle {

void NotdepWord::assign(std::size_t first, const Event& last) {
  first_ = first;
  last_ = &last;
  next_.assign(execution_.thread_count(), kNone);
  end_.assign(execution_.thread_count(), 0);
  for (std::size_t k = first + 1; k < execution_.size(); ++k) {
    const Event& event = execution_[k];
    const std::size_t thread = event.thread.value;
    if (next_[thread] == kNone) next_[thread] = end_[thread] = event.index - 1;
    if (!execution_.happens_before(first, k)) end_[thread] = event.index;
  }
}

bool NotdepWord::weak_initial(const Event& letter) const {
  const std::size_t own = letter.thread.value;
  if (!remains(own)) {
    if (last_ != nullptr && last_->thread == letter.thread) {
      return last_->outcome == letter.outcome && independent_of_all(letter);
    }
    // What the letter most likely depends on is asked first.
    return (last_ == nullptr || !dependent(letter, *last_)) && independent_of_all(letter);
  }
  const std::size_t position = execution_.position(letter.thread, next_[own] + 1);
  if (execution_[position].outcome != letter.outcome) return false;
  // Nothing that remains happens before it: its clock is ahead of its own thread only. Counted without a way out, so
  // that the compiler looks at several threads at once.
  const Execution::Tick* const clock = execution_.clock(position).data();
  std::uint32_t ahead = 0;
  for (std::size_t t = 0; t < next_.size(); ++t) ahead += clock[t] > next_[t] ? 1U : 0U;
  return ahead == 1;
}

bool NotdepWord::independent_of_all(const Event& letter) const {
  const Signature of_letter = signature(letter);
  for (std::size_t t = 0; t < next_.size(); ++t) {
    if (!remains(t)) continue;
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    for (Execution::Tick index = next_[t] + 1; index <= end_[t]; ++index) {
      const std::size_t position = execution_.position(thread, index);
      if (may_depend(of_letter, signatures_[position]) && dependent(letter, execution_[position])) return false;
    }
  }
  return true;
}

void NotdepWord::remove_first(ThreadId thread) {
  if (remains(thread.value)) {
    ++next_[thread.value];
  } else if (last_ != nullptr && last_->thread == thread) {
    last_ = nullptr;
  }
}

bool ListedWord::weak_initial(const Event& letter) const {
  for (const Event* event : events_) {
    if (event->thread == letter.thread) return event->outcome == letter.outcome;
    if (dependent(letter, *event)) return false;
  }
  return true;
}

void ListedWord::remove_first(ThreadId thread) {
  const auto first = std::find_if(events_.begin(), events_.end(), [&](const Event* e) { return e->thread == thread; });
  if (first != events_.end()) events_.erase(first);
}

}  // namespace heddle
