// The words that races lead to, and the question that decides where they go: which letters can begin them.
//
// A letter is an event: a thread with an outcome, and what it does. It is a weak initial of a word (algorithms.md 3.3)
// if its thread's first step in the word is this letter and independent of everything before it, or if the thread does
// not occur in the word and the letter is independent of all of it. Thread and outcome belong together: the same thread
// with another outcome begins another word.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/execution.hpp"

namespace heddle {

// Letters that are not of notdep(e, E), but begin a word notdep(e, E).e', as far as they can be remembered.
class ForeignLetters {
 public:
  ForeignLetters() = default;
  // One by one: copying all of it would read back in wide pieces what was just written in narrow ones, which processors
  // do slowly.
  ForeignLetters(const ForeignLetters& other) { *this = other; }
  ForeignLetters& operator=(const ForeignLetters& other) {
    count_ = other.count_;
    known_ = other.known_;
    for (std::size_t i = 0; i < count_; ++i) {
      letters_[i].thread = other.letters_[i].thread;
      letters_[i].place.object = other.letters_[i].place.object;
      letters_[i].place.bytes = other.letters_[i].place.bytes;
      letters_[i].place.mode = other.letters_[i].place.mode;
    }
    return *this;
  }
  ~ForeignLetters() = default;
  void clear() noexcept {
    count_ = 0;
    known_ = true;
  }
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

// A letter that was taken out of a word.
struct TakenOut {
  // The first event that was left, some other one, the last event, or none of the word.
  enum What : std::uint8_t { Front, Step, Last, Foreign };
  What what = Foreign;
  Execution::Position position = Execution::kNone;  // of the event, if it is one of the execution
};

// notdep(e, E).e': all that does not happen after event `first`, and a last event. Of each thread these are consecutive
// steps, so that the word is kept as two numbers per thread; what precedes what is asked of the clocks.
class NotdepWord {
 public:
  explicit NotdepWord(const Execution& execution) : execution_(execution) {}

  // `position`: of the last event, kNone if it is none of the execution. What of the word lies before `from` has been
  // taken out.
  void assign(std::size_t first, const Event& last, Execution::Place last_place, Execution::Position position,
              std::size_t from);

  [[nodiscard]] bool weak_initial(const Event& letter, Execution::Place place) const {
    const std::size_t own = letter.thread.value;
    // Mostly the words in a tree are in the order of the execution: then there is nothing before this step.
    const bool first = begins(letter.thread);
    if (!first && !remains(own)) return weak_initial_of_others(letter, place);
    const std::size_t position = first ? front_ : execution_.position(letter.thread, next_[own] + 1);
    return execution_.has_outcome(position, letter.outcome) && (first || nothing_before(position));
  }
  // Whether a foreign letter still begins the word, as it did in an execution that has its first `same` events in
  // common with this one: what the word had there it still has.
  [[nodiscard]] bool begins_as_before(const Event& letter, Execution::Place place, std::size_t same) const {
    if (remains(letter.thread.value) || (last_ != nullptr && last_->thread == letter.thread)) return false;
    return independent_of_last(letter, place) && independent_of_all(letter, place, std::max(same, front_));
  }
  // Takes a weak initial out of the word; what is not a step of notdep(e, E) is foreign.
  TakenOut remove(const Event& letter, Execution::Place place) {
    if (remains(letter.thread.value)) {
      const std::size_t front = front_;
      const Execution::Position position = execution_.position(letter.thread, ++next_[letter.thread.value]);
      find_front();
      return {position == front ? TakenOut::Front : TakenOut::Step, position};
    }
    foreign_.add(letter.thread, place);
    if (last_ == nullptr || last_->thread != letter.thread) return {};
    last_ = nullptr;
    return last_taken_out();
  }
  // Takes out an event of the execution: the next step of its thread, or the last event. When all have been taken out,
  // find_front is to be called.
  void remove(Execution::Position position) {
    if (position == last_position_) {
      foreign_.add(last_->thread, last_place_);
      last_ = nullptr;
    } else {
      ++next_[execution_.step(position).thread.value];
    }
  }
  void find_front() noexcept {
    while (front_ < execution_.size() && !remains(execution_.step(front_))) ++front_;
  }
  // The foreign letters that were taken out.
  [[nodiscard]] const ForeignLetters& foreign() const noexcept { return foreign_; }
  // Calls `visit` with the remaining events, in order.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t k = front_; k < execution_.size(); ++k) {
      if (!remains(execution_.step(k))) continue;
      visit(execution_[k], execution_.place(k), TakenOut{TakenOut::Front, static_cast<Execution::Position>(k)});
    }
    if (last_ != nullptr) visit(*last_, last_place_, last_taken_out());
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
  [[nodiscard]] bool independent_of_last(const Event& letter, Execution::Place place) const {
    return last_ == nullptr || !Execution::dependent(letter, place, *last_, last_place_);
  }
  // Of all events that remain from a position on.
  [[nodiscard]] bool independent_of_all(const Event& letter, Execution::Place place, std::size_t from) const;
  // An event that is none of the execution is foreign.
  [[nodiscard]] TakenOut last_taken_out() const noexcept {
    return last_position_ == Execution::kNone ? TakenOut{} : TakenOut{TakenOut::Last, last_position_};
  }

  const Execution& execution_;
  std::size_t front_ = 0;        // the first event that remains, or the end of the execution
  const Event* last_ = nullptr;  // null when it has been taken out
  Execution::Place last_place_;
  Execution::Position last_position_ = Execution::kNone;
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
  TakenOut remove(const Event& letter, Execution::Place place);
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const Event* event : events_) visit(*event, Execution::Place{}, TakenOut{});
  }

 private:
  std::vector<const Event*> events_;
};

}  // namespace heddle
