#include "program/native/time.hpp"

#include <algorithm>

#include "program/native/await.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {
namespace {

constexpr std::uint64_t kWallStart = 1'700'000'000 * kNanosecondsPerSecond;
constexpr std::uint64_t kSteadyStart = 1'000 * kNanosecondsPerSecond;

std::uint64_t start_of(clockid_t clock) noexcept {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: return kWallStart;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return 0;
    default: return kSteadyStart;
  }
}

}  // namespace

void move_time(Fibre& fibre, std::uint64_t to) noexcept {
  if (to <= fibre.time) return;
  fibre.time = to;
  rt.time_moved = true;
}

std::uint64_t read_clock(clockid_t clock) {
  if (rt.settings.stateful) {
    refuse(Refusal::Unsupported,
           "the program reads a clock: time is not part of a state, so a search over states cannot be had for it");
  }
  await_effect();
  move_time(*rt.current, rt.current->time + 1'000);
  return start_of(clock) + rt.current->time;
}

timespec to_timespec(std::uint64_t nanoseconds) noexcept {
  return {.tv_sec = static_cast<time_t>(nanoseconds / kNanosecondsPerSecond),
          .tv_nsec = static_cast<long>(nanoseconds % kNanosecondsPerSecond)};
}

std::uint64_t from_timespec(const timespec& time) noexcept {
  if (time.tv_sec < 0) return 0;
  return static_cast<std::uint64_t>(time.tv_sec) * kNanosecondsPerSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

void pass_time(std::uint64_t nanoseconds, std::uint64_t site) {
  constexpr std::uint32_t kForEver = 10'000;
  Fibre& fibre = *rt.current;
  move_time(fibre, fibre.time + nanoseconds);
  if (++fibre.idle_calls < kForEver) return;
  if (rt.recording) record_stack(fibre);
  give_up(site);
}

std::uint64_t moment(clockid_t clock, const timespec& time) noexcept {
  const std::uint64_t at = from_timespec(time);
  const std::uint64_t start = start_of(clock);
  return at > start ? at - start : 0;
}

}  // namespace heddle::native
