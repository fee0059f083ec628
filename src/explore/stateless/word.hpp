// The words that races lead to, and the question that decides where they go: which letters can begin them.
//
// A letter is an event: a thread with an outcome, and what it does. It is a weak initial of a word (algorithms.md 3.3)
// if its thread's first step in the word is this letter and independent of everything before it, or if the thread does
// not occur in the word and the letter is independent of all of it. Thread and outcome belong together: the same thread
// with another outcome begins another word.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/execution.hpp"

namespace heddle {

// Letters that are not of notdep(e, E), but begin a word notdep(e, E).e', as far as they can be remembered.
class ForeignLetters {
 public:
  void add(ThreadId thread, Execution::Place place) {
    known_ = known_ && count_ < letters_.size() && place.object != Execution::kNone;
    if (known_) letters_[count_++] = {thread, place};
  }
  // Whether they begin notdep(e, E).other, too: none is of its thread or depends on it. False if it is not known.
  [[nodiscard]] bool begin_with(ThreadId other, Execution::Place place) const {
    if (!known_ || place.object == Execution::kNone) return false;
    for (std::size_t i = 0; i < count_; ++i) {
      if (letters_[i].thread == other || Execution::conflict(letters_[i].place, place)) return false;
    }
    return true;
  }

 private:
  struct Foreign {
    ThreadId thread;
    Execution::Place place;
  };
  std::array<Foreign, 2> letters_ = {};
  std::uint8_t count_ = 0;
  bool known_ = true;
};

// notdep(e, E).e': all that does not happen after event `first`, and a last event. Of each thread these are consecutive
// steps, so that the word is kept as two numbers per thread; what precedes what is asked of the clocks.
class NotdepWord {
 public:
  explicit NotdepWord(const Execution& execution) : execution_(execution) {}

  void assign(std::size_t first, const Event& last, Execution::Place last_place);

  [[nodiscard]] bool weak_initial(const Event& letter, Execution::Place place) const {
    const std::size_t own = letter.thread.value;
    // Mostly the words in a tree are in the order of the execution: then there is nothing before this step.
    const bool first = begins(letter.thread);
    if (!first && !remains(own)) return weak_initial_of_others(letter, place);
    const std::size_t position = first ? front_ : execution_.position(letter.thread, next_[own] + 1);
    return execution_[position].outcome == letter.outcome && (first || nothing_before(position));
  }
  // Takes a weak initial out of the word; what is not a step of notdep(e, E) is foreign.
  void remove(const Event& letter, Execution::Place place) {
    if (remains(letter.thread.value)) {
      ++next_[letter.thread.value];
      find_front();
      return;
    }
    foreign_.add(letter.thread, place);
    if (last_ != nullptr && last_->thread == letter.thread) last_ = nullptr;
  }
  // The foreign letters that were taken out, and the last event if it was not.
  [[nodiscard]] ForeignLetters foreign() const {
    ForeignLetters all = foreign_;
    if (last_ != nullptr) all.add(last_->thread, last_place_);
    return all;
  }
  // Calls `visit` with the remaining events, in order.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t k = front_; k < execution_.size(); ++k) {
      if (remains(execution_.step(k))) visit(execution_[k], execution_.place(k));
    }
    if (last_ != nullptr) visit(*last_, last_place_);
  }

 private:
  static constexpr Execution::Tick kNone = std::numeric_limits<std::int32_t>::max();  // above all indices
  [[nodiscard]] bool remains(std::size_t thread) const noexcept { return next_[thread] < end_[thread]; }
  [[nodiscard]] bool remains(Execution::Step step) const noexcept {
    return step.index > next_[step.thread.value] && step.index <= end_[step.thread.value];
  }
  // Whether the first event that remains is the thread's.
  [[nodiscard]] bool begins(ThreadId thread) const noexcept {
    return front_ < execution_.size() && execution_.step(front_).thread == thread;
  }
  // The same for a letter of a thread that has no step left but perhaps the last.
  [[nodiscard]] bool weak_initial_of_others(const Event& letter, Execution::Place place) const;
  // Whether nothing that remains happens before this event, which does.
  [[nodiscard]] bool nothing_before(std::size_t position) const;
  [[nodiscard]] bool independent_of_all(const Event& letter, Execution::Place place) const;
  void find_front() noexcept {
    while (front_ < execution_.size() && !remains(execution_.step(front_))) ++front_;
  }

  const Execution& execution_;
  std::size_t first_ = 0;
  std::size_t front_ = 0;        // the first event that remains, or the end of the execution
  const Event* last_ = nullptr;  // null when it has been taken out
  Execution::Place last_place_;
  ForeignLetters foreign_;
  // Of each thread, steps with an index above `next` and not above `end` remain. Threads without a step behind `first`
  // have kNone and 0: whatever of them is known lies before the word.
  std::vector<Execution::Tick> next_;
  std::vector<Execution::Tick> end_;
};

// Any word, as a list of its events.
class ListedWord {
 public:
  void clear() { events_.clear(); }
  void append(const Event& event) { events_.push_back(&event); }

  [[nodiscard]] bool weak_initial(const Event& letter, Execution::Place place = {}) const;
  void remove(const Event& letter, Execution::Place place);
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Event* event : events_) visit(*event, Execution::Place{});
  }

 private:
  std::vector<const Event*> events_;
};

}  // namespace heddle
