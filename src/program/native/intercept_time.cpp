// Clocks and sleeps: virtual time.
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "program/native/cancellation.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/time.hpp"

using namespace heddle::native;  // NOLINT: this file is nothing but definitions in libc's own namespace

HEDDLE_INTERCEPT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!rt.inside) return HEDDLE_REAL(clock_gettime)(clock, time);
  if (clock < 0 || clock > CLOCK_TAI) {
    errno = EINVAL;
    return -1;
  }
  *time = to_timespec(read_clock(clock));
  return 0;
}
HEDDLE_INTERCEPT int timespec_get(timespec* time, int base) noexcept {
  if (!rt.inside) return HEDDLE_REAL(timespec_get)(time, base);
  if (base != TIME_UTC) return 0;
  *time = to_timespec(read_clock(CLOCK_REALTIME));
  return base;
}
HEDDLE_INTERCEPT int gettimeofday(timeval* __restrict time, void* __restrict zone) noexcept {
  if (!rt.inside) return HEDDLE_REAL(gettimeofday)(time, zone);
  const timespec now = to_timespec(read_clock(CLOCK_REALTIME));
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
HEDDLE_INTERCEPT time_t time(time_t* result) noexcept {
  if (!rt.inside) return HEDDLE_REAL(time)(result);
  const time_t now = to_timespec(read_clock(CLOCK_REALTIME)).tv_sec;
  if (result != nullptr) *result = now;
  return now;
}
HEDDLE_INTERCEPT clock_t clock() noexcept {
  if (!rt.inside) return HEDDLE_REAL(clock)();
  return static_cast<clock_t>(read_clock(CLOCK_PROCESS_CPUTIME_ID) / 1000);
}

namespace {

bool valid(const timespec* time) { return time->tv_nsec >= 0 && time->tv_nsec < 1'000'000'000 && time->tv_sec >= 0; }

}  // namespace

HEDDLE_INTERCEPT int nanosleep(const timespec* request, timespec* left) {
  if (!rt.inside) return HEDDLE_REAL(nanosleep)(request, left);
  if (!valid(request)) {
    errno = EINVAL;
    return -1;
  }
  cancellation_point(HEDDLE_SITE);
  pass_time(from_timespec(*request));
  return 0;
}
HEDDLE_INTERCEPT int clock_nanosleep(clockid_t clock, int flags, const timespec* request, timespec* left) {
  if (!rt.inside) return HEDDLE_REAL(clock_nanosleep)(clock, flags, request, left);
  if (!valid(request)) return EINVAL;
  cancellation_point(HEDDLE_SITE);
  if ((flags & TIMER_ABSTIME) == 0) {
    pass_time(from_timespec(*request));
  } else if (const std::uint64_t until = moment(clock, *request); until > rt.current->time) {
    pass_time(until - rt.current->time);
  }
  return 0;
}
HEDDLE_INTERCEPT int usleep(useconds_t microseconds) {
  if (!rt.inside) return HEDDLE_REAL(usleep)(microseconds);
  cancellation_point(HEDDLE_SITE);
  pass_time(std::uint64_t{microseconds} * 1000);
  return 0;
}
HEDDLE_INTERCEPT unsigned sleep(unsigned seconds) {
  if (!rt.inside) return HEDDLE_REAL(sleep)(seconds);
  cancellation_point(HEDDLE_SITE);
  pass_time(seconds * kNanosecondsPerSecond);
  return 0;
}
HEDDLE_INTERCEPT int sched_yield() noexcept {
  if (!rt.inside) return HEDDLE_REAL(sched_yield)();
  pass_time(0, HEDDLE_SITE);
  return 0;
}
HEDDLE_INTERCEPT int sched_getcpu() noexcept { return rt.inside ? 0 : HEDDLE_REAL(sched_getcpu)(); }
