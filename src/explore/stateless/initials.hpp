// Which threads can begin a word (algorithms.md 3.3). A word is a sequence of events, each after all it depends on.
//
//   I(w):   threads whose first event in w is independent of everything before it in w.
//   WI(w):  those, and threads that do not occur in w and whose next event is independent of all of w.
#pragma once

#include <span>
#include <vector>

#include "model/dependency.hpp"

namespace heddle {

// A word by reference to its events. What has been taken out of it is null.
using Word = std::vector<const Event*>;

// Whether a thread whose next event at the start of the word would be `letter` is a weak initial. Thread and outcome
// together are what may occur in the word: the same thread with another outcome begins another word.
[[nodiscard]] inline bool weak_initial(const Event& letter, std::span<const Event* const> word) {
  for (const Event* event : word) {
    if (event == nullptr) continue;
    if (event->thread == letter.thread) return event->outcome == letter.outcome;
    if (dependent(letter, *event)) return false;
  }
  return true;
}

// Takes the first event of a thread out of a word, if it has one.
inline void remove_first(ThreadId thread, std::span<const Event*> word) {
  for (const Event*& event : word) {
    if (event == nullptr || event->thread != thread) continue;
    event = nullptr;
    return;
  }
}

}  // namespace heddle
