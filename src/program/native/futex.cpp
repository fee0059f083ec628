#include "program/native/futex.hpp"

#include <linux/futex.h>

#include <cerrno>
#include <ctime>
#include <string>
#include <vector>

#include "program/native/outcomes.hpp"
#include "program/native/runtime.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/time.hpp"

namespace heddle::native {
namespace {

std::uint32_t load(std::uint64_t address) { return *reinterpret_cast<const volatile std::uint32_t*>(address); }

// Two events: going to sleep (or finding another value), and waking up.
long wait(std::uint64_t address, std::uint32_t value, const timespec* timeout, bool absolute, clockid_t clock,
          std::uint64_t site) {
  Fibre& fibre = *rt.current;
  reach({.kind = OpKind::FutexWait, .size = 4, .object = address, .site = site});
  if (load(address) != value) {
    rt.event.op.kind = OpKind::FutexMiss;
    return -EAGAIN;
  }
  fibre.sleep = Sleep::Futex;
  fibre.sleeps_on = address;
  fibre.sleep_site = site;
  fibre.signalled = false;
  fibre.timed = timeout != nullptr;
  if (timeout != nullptr) fibre.deadline = absolute ? moment(clock, *timeout) : fibre.time + from_timespec(*timeout);
  const Outcome outcome = reach({.kind = OpKind::FutexReturn,
                                 .timed = rt.settings.spurious_wakeups > 0,
                                 .size = 4,
                                 .object = address,
                                 .site = site});
  fibre.sleep = Sleep::None;
  if (outcome == kUsual) {
    rt.event.woken = wake_bit(fibre.id);
    return 0;
  }
  rt.event.op.kind = OpKind::FutexTimeout;
  if (outcome == kSpurious) {
    ++rt.spurious_used;
    return -EINTR;
  }
  ++fibre.timeouts;
  move_time(fibre, fibre.deadline);
  return -ETIMEDOUT;
}

// The sleepers that the outcome-th subset of `count` out of `sleepers` consists of, in lexicographic order.
std::vector<std::size_t> subset(std::size_t sleepers, std::size_t count, Outcome outcome) {
  std::vector<std::size_t> members;
  std::size_t next = 0;
  for (std::size_t left = count; left > 0; ++next) {
    std::uint64_t with_next = 1;  // subsets that contain `next`: choose the rest from those behind it
    for (std::size_t i = 1; i < left; ++i) with_next = with_next * (sleepers - next - 1 - (left - 1) + i) / i;
    if (outcome < with_next) {
      members.push_back(next);
      --left;
    } else {
      outcome -= static_cast<Outcome>(with_next);
    }
  }
  return members;
}

long wake(std::uint64_t address, std::uint32_t count, std::uint64_t site) {
  const Outcome outcome =
      reach({.kind = OpKind::FutexWake, .size = 4, .object = address, .second = count, .site = site});
  const std::size_t sleepers = count_sleepers(Sleep::Futex, address);
  const std::size_t woken = count < sleepers ? count : sleepers;
  if (woken == 0) {
    rt.event.op.kind = OpKind::FutexWakeLost;
    return 0;
  }
  std::vector<Fibre*> chosen;
  {
    OutsideProgram outside;
    for (const std::size_t n : subset(sleepers, woken, outcome)) chosen.push_back(&sleeper(Sleep::Futex, address, n));
    for (Fibre* fibre : chosen) {
      fibre->signalled = true;
      fibre->woken_alone = false;  // the kernel's futex either woke it or timed out
      rt.event.woken |= wake_bit(fibre->id);
    }
  }
  return static_cast<long>(woken);
}

}  // namespace

long futex(std::uint64_t address, int operation, std::uint32_t value, const void* timeout, std::uint32_t bits,
           std::uint64_t site) {
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const auto* until = static_cast<const timespec*>(timeout);
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return wait(address, value, until, false, clock, site);
    case FUTEX_WAIT_BITSET:
      if (bits == FUTEX_BITSET_MATCH_ANY) return wait(address, value, until, true, clock, site);
      break;
    case FUTEX_WAKE: return wake(address, value, site);
    case FUTEX_WAKE_BITSET:
      if (bits == FUTEX_BITSET_MATCH_ANY) return wake(address, value, site);
      break;
    default: break;
  }
  refuse(Refusal::Unsupported, "futex operation " + std::to_string(operation & FUTEX_CMD_MASK) + " is not modelled");
}

}  // namespace heddle::native
