#include "explore/stateless/word.hpp"

#include <algorithm>
#include <array>

#include "model/dependency.hpp"

namespace heddle {

void NotdepWord::assign(std::size_t first, const Event& last, Execution::Place last_place, Execution::Position position,
                        std::size_t from) {
  last_ = &last;
  last_place_ = last_place;
  last_position_ = position;
  foreign_.clear();
  const std::size_t length = execution_.clock_length();
  next_.resize(length);
  end_.resize(length);
  Execution::Tick* const next = next_.data();
  Execution::Tick* const end = end_.data();
  std::fill_n(next, length, kNone);
  std::fill_n(end, length, 0);
  const std::size_t size = execution_.size();
  for (std::size_t k = from; k < size; ++k) {
    const Execution::Step step = execution_.step(k);
    const std::size_t thread = step.thread.value;
    next[thread] = std::min(next[thread], step.index - 1);
    end[thread] = execution_.happens_before(first, k) ? end[thread] : step.index;
  }
  front_ = from;
  find_front();
}

bool NotdepWord::weak_initial_of_others(const Event& letter, Execution::Place place) const {
  if (last_ != nullptr && last_->thread == letter.thread) {
    return last_->outcome == letter.outcome && independent_of_all(letter, place, front_);
  }
  // What the letter most likely depends on is asked first.
  return independent_of_last(letter, place) && independent_of_all(letter, place, front_);
}

// Its clock is ahead of its own thread only. Counted without a way out, as signed numbers and by fours, so that the
// compiler looks at several threads at once.
bool NotdepWord::nothing_before(std::size_t position) const {
  const Execution::Tick* const clock = execution_.clock(position).data();
  const Execution::Tick* const next = next_.data();
  const std::size_t length = next_.size();
  std::array<std::int32_t, 4> ahead{};
  for (std::size_t t = 0; t < length; t += ahead.size()) {
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      ahead[i] += static_cast<std::int32_t>(clock[t + i]) > static_cast<std::int32_t>(next[t + i]) ? 1 : 0;
    }
  }
  return ahead[0] + ahead[1] + ahead[2] + ahead[3] == 1;
}

bool NotdepWord::independent_of_all(const Event& letter, Execution::Place place, std::size_t from) const {
  if (execution_.untouched_from(from, letter.thread, place)) return true;
  return !execution_.any_dependent(letter, place, from, [&](std::size_t k) { return remains(execution_.step(k)); });
}

bool ListedWord::weak_initial(const Event& letter, Execution::Place /*place*/) const {
  for (const Event* event : events_) {
    if (event->thread == letter.thread) return event->outcome == letter.outcome;
    if (dependent(letter, *event)) return false;
  }
  return true;
}

TakenOut ListedWord::remove(const Event& letter, Execution::Place /*place*/) {
  const auto first =
      std::find_if(events_.begin(), events_.end(), [&](const Event* e) { return e->thread == letter.thread; });
  if (first != events_.end()) events_.erase(first);
  return {};
}

}  // namespace heddle
