// Vector clocks as arrays of ticks, of a length that is a multiple of four: the loops over them go by so many at once,
// and compilers turn that into vector instructions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle {

using Tick = std::uint32_t;
inline constexpr std::size_t kTicksAtOnce = 4;

// The length of clocks that have a component for each of so many threads.
[[nodiscard]] constexpr std::size_t clock_length(std::size_t threads) noexcept {
  return (threads + kTicksAtOnce - 1) / kTicksAtOnce * kTicksAtOnce;
}

inline void copy_ticks(Tick* __restrict to, const Tick* __restrict from, std::size_t length) noexcept {
  for (std::size_t i = 0; i < length; i += kTicksAtOnce) {
    for (std::size_t k = i; k < i + kTicksAtOnce; ++k) to[k] = from[k];
  }
}

// The maximum of each component.
inline void join_ticks(Tick* __restrict into, const Tick* __restrict from, std::size_t length) noexcept {
  for (std::size_t i = 0; i < length; i += kTicksAtOnce) {
    for (std::size_t k = i; k < i + kTicksAtOnce; ++k) into[k] = std::max(into[k], from[k]);
  }
}

}  // namespace heddle
