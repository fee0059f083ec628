// Vector clocks as arrays of ticks, of a length that is a multiple of four: the loops over them go by so many at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

using Tick = std::uint32_t;
inline constexpr std::size_t kTicksAtOnce = 4;

// The length of clocks that have a component for each of so many threads.
[[nodiscard]] constexpr std::size_t clock_length(std::size_t threads) noexcept {
  return (threads + kTicksAtOnce - 1) / kTicksAtOnce * kTicksAtOnce;
}

// So many of them in one register.
using TicksAtOnce = Tick __attribute__((vector_size(kTicksAtOnce * sizeof(Tick)), aligned(alignof(Tick)), may_alias));

inline void copy_ticks(Tick* to, const Tick* from, std::size_t length) noexcept {
  for (const Tick* const end = from + length; from != end; from += kTicksAtOnce, to += kTicksAtOnce) {
    *reinterpret_cast<TicksAtOnce*>(to) = *reinterpret_cast<const TicksAtOnce*>(from);
  }
}

// The maximum of each component.
inline void join_ticks(Tick* into, const Tick* from, std::size_t length) noexcept {
  for (const Tick* const end = from + length; from != end; from += kTicksAtOnce, into += kTicksAtOnce) {
    const TicksAtOnce mine = *reinterpret_cast<const TicksAtOnce*>(into);
    const TicksAtOnce theirs = *reinterpret_cast<const TicksAtOnce*>(from);
    *reinterpret_cast<TicksAtOnce*>(into) = mine > theirs ? mine : theirs;
  }
}

}  // namespace heddle
