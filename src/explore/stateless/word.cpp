#include "explore/stateless/word.hpp"

#include <algorithm>

#include "model/dependency.hpp"

namespace heddle {

void NotdepWord::assign(std::size_t first, const Event& last) {
  first_ = first;
  last_ = &last;
  steps_.assign(execution_.thread_count(), {});
  for (std::size_t k = first + 1; k < execution_.size(); ++k) {
    const Event& event = execution_[k];
    Steps& steps = steps_[event.thread.value];
    if (steps.next == kNone) steps.next = steps.end = event.index - 1;
    if (!execution_.happens_before(first, k)) steps.end = event.index;
  }
}

bool NotdepWord::weak_initial(const Event& letter) const {
  const Steps& own = steps_[letter.thread.value];
  if (!remains(own)) {
    if (last_ != nullptr && last_->thread == letter.thread) {
      return last_->outcome == letter.outcome && independent_of_all(letter);
    }
    // What the letter most likely depends on is asked first.
    return (last_ == nullptr || !dependent(letter, *last_)) && independent_of_all(letter);
  }
  const std::size_t position = execution_.position(letter.thread, own.next + 1);
  if (execution_[position].outcome != letter.outcome) return false;
  // Nothing that remains happens before it.
  const auto clock = execution_.clock(position);
  for (std::size_t t = 0; t < steps_.size(); ++t) {
    if (t != letter.thread.value && clock[t] > steps_[t].next) return false;
  }
  return true;
}

bool NotdepWord::independent_of_all(const Event& letter) const {
  for (std::size_t t = 0; t < steps_.size(); ++t) {
    if (!remains(steps_[t])) continue;
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    for (Execution::Tick index = steps_[t].next + 1; index <= steps_[t].end; ++index) {
      if (dependent(letter, execution_[execution_.position(thread, index)])) return false;
    }
  }
  return true;
}

void NotdepWord::remove_first(ThreadId thread) {
  Steps& steps = steps_[thread.value];
  if (remains(steps)) {
    ++steps.next;
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
