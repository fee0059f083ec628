// Vector clocks: for each thread the number of its events that are known. Clocks grow as threads appear; a missing
// component is 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace heddle {

class VectorClock {
 public:
  using Tick = std::uint32_t;

  [[nodiscard]] Tick operator[](ThreadId thread) const noexcept {
    return thread.value < ticks_.size() ? ticks_[thread.value] : 0;
  }
  void set(ThreadId thread, Tick tick) {
    if (thread.value >= ticks_.size()) ticks_.resize(thread.value + std::size_t{1});
    ticks_[thread.value] = tick;
  }
  // Least upper bound.
  void join(const VectorClock& other) {
    if (other.ticks_.size() > ticks_.size()) ticks_.resize(other.ticks_.size());
    for (std::size_t i = 0; i < other.ticks_.size(); ++i) ticks_[i] = std::max(ticks_[i], other.ticks_[i]);
  }
  // Whether every component is at most the other's.
  [[nodiscard]] bool before_or_equal(const VectorClock& other) const noexcept {
    for (std::size_t i = 0; i < ticks_.size(); ++i) {
      if (ticks_[i] > other[ThreadId{static_cast<std::uint16_t>(i)}]) return false;
    }
    return true;
  }

 private:
  std::vector<Tick> ticks_;
};

}  // namespace heddle
