// Virtual time: each thread has its own clock, moved by its own sleeps and time-outs and joined by maximum along
// happens-before, so that independent steps stay independent.
#pragma once

#include <cstdint>
#include <ctime>

#include "program/native/fibre.hpp"

namespace heddle::native {

inline constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

// Time has passed for a thread, until then.
void move_time(Fibre& fibre, std::uint64_t to) noexcept;
// What a clock shows the current thread now, in nanoseconds. Looking costs a microsecond of virtual time, so that loops
// which wait for a moment end.
[[nodiscard]] std::uint64_t read_clock(clockid_t clock);
[[nodiscard]] timespec to_timespec(std::uint64_t nanoseconds) noexcept;
[[nodiscard]] std::uint64_t from_timespec(const timespec& time) noexcept;

// The thread sleeps, or yields for 0. One that does nothing else for ever is given up after a while.
void pass_time(std::uint64_t nanoseconds, std::uint64_t site = 0);
// The virtual moment (of the thread's own clock) at which a clock shows `time`.
[[nodiscard]] std::uint64_t moment(clockid_t clock, const timespec& time) noexcept;

}  // namespace heddle::native
