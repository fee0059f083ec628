// Strong types for the small integers of the model, so that a thread is never taken for an event or an outcome.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace heddle {

// A thread's number, dense within one search: 0 is `main`, the others are numbered in the order in which the search
// first met them. The same thread (same place in the creation tree) keeps its number over all executions.
struct ThreadId {
  std::uint16_t value = 0;
  friend constexpr auto operator<=>(ThreadId, ThreadId) = default;
};

inline constexpr ThreadId kMainThread{0};

// The most threads one search can tell apart; a program with more is refused with a sentence.
inline constexpr std::size_t kMaxThreads = 512;

// A thread's alternative when its operation has several outcomes (which waiter a signal wakes, a data choice, ...).
using Outcome = std::uint32_t;

}  // namespace heddle
