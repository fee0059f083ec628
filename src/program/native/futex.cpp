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
          std::uint32_t bits, std::uint64_t site) {
  Fibre& fibre = *rt.current;
  reach({.kind = OpKind::FutexWait, .size = 4, .object = address, .site = site});
  if (load(address) != value) {
    rt.event.op.kind = OpKind::FutexMiss;
    return -EAGAIN;
  }
  fibre.sleep = Sleep::Futex;
  fibre.sleeps_on = address;
  fibre.sleep_site = site;
  fibre.sleep_bits = bits;
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
  rt.event.total = fibre.sleeps_on != address;  // somebody has moved it to the queue of another futex
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

// Wakes the sleepers that the outcome stands for; how many there were.
std::size_t wake_some(std::uint64_t address, WakeRequest request, Outcome outcome) {
  const std::size_t sleepers = count_sleepers(Sleep::Futex, address, request.bits);
  const std::size_t woken = request.count < sleepers ? request.count : sleepers;
  if (woken == 0) return 0;
  OutsideProgram outside;
  std::vector<Fibre*> chosen;
  for (const std::size_t n : subset(sleepers, woken, outcome)) {
    chosen.push_back(&sleeper(Sleep::Futex, address, n, request.bits));
  }
  for (Fibre* fibre : chosen) {
    fibre->signalled = true;
    fibre->woken_alone = false;  // the kernel's futex either woke it or timed out
    rt.event.woken |= wake_bit(fibre->id);
  }
  return woken;
}

long wake(std::uint64_t address, WakeRequest request, std::uint64_t site) {
  const Outcome outcome =
      reach({.kind = OpKind::FutexWake, .size = 4, .object = address, .second = packed(request), .site = site});
  const std::size_t woken = wake_some(address, request, outcome);
  if (woken == 0) rt.event.op.kind = OpKind::FutexWakeLost;
  return static_cast<long>(woken);
}

// Wakes some sleepers and moves the others to the queue of another futex.
long requeue(std::uint64_t address, std::uint32_t count, std::uint64_t most_moved, std::uint64_t target,
             const std::uint32_t* expected, std::uint64_t site) {
  const WakeRequest request{count, kAllBits};
  const Outcome outcome =
      reach({.kind = OpKind::FutexRequeue, .size = 4, .object = address, .second = packed(request), .site = site});
  if (expected != nullptr && load(address) != *expected) return -EAGAIN;
  const std::size_t woken = wake_some(address, request, outcome);
  const std::size_t left = count_sleepers(Sleep::Futex, address);
  if (left > most_moved) {
    refuse(Refusal::Unsupported, "a futex requeue moves some of the sleepers and not all: that is not modelled");
  }
  for (std::size_t i = 0; i < left; ++i) sleeper(Sleep::Futex, address, 0).sleeps_on = target;
  return static_cast<long>(expected != nullptr ? woken + left : woken);
}

const char* name_of(int operation) {
  switch (operation) {
    case FUTEX_FD: return "FUTEX_FD";
    case FUTEX_WAKE_OP: return "FUTEX_WAKE_OP";
    case FUTEX_LOCK_PI: return "FUTEX_LOCK_PI";
    case FUTEX_UNLOCK_PI: return "FUTEX_UNLOCK_PI";
    case FUTEX_TRYLOCK_PI: return "FUTEX_TRYLOCK_PI";
    case FUTEX_WAIT_REQUEUE_PI: return "FUTEX_WAIT_REQUEUE_PI";
    case FUTEX_CMP_REQUEUE_PI: return "FUTEX_CMP_REQUEUE_PI";
    case FUTEX_LOCK_PI2: return "FUTEX_LOCK_PI2";
    default: return nullptr;
  }
}

}  // namespace

long futex(std::uint64_t address, int operation, std::uint32_t value, const void* timeout, std::uint64_t address2,
           std::uint32_t value3, std::uint64_t site) {
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const auto* until = static_cast<const timespec*>(timeout);
  const int command = operation & FUTEX_CMD_MASK;
  if (address % 4 != 0) return -EINVAL;
  switch (command) {
    case FUTEX_WAIT: return wait(address, value, until, false, clock, kAllBits, site);
    case FUTEX_WAIT_BITSET: return value3 == 0 ? -EINVAL : wait(address, value, until, true, clock, value3, site);
    case FUTEX_WAKE: return wake(address, {value, kAllBits}, site);
    case FUTEX_WAKE_BITSET: return value3 == 0 ? -EINVAL : wake(address, {value, value3}, site);
    case FUTEX_REQUEUE:
      return requeue(address, value, reinterpret_cast<std::uint64_t>(timeout), address2, nullptr, site);
    case FUTEX_CMP_REQUEUE:
      return requeue(address, value, reinterpret_cast<std::uint64_t>(timeout), address2, &value3, site);
    default: break;
  }
  const char* name = name_of(command);
  if (name == nullptr) return -ENOSYS;
  refuse(Refusal::Unsupported, std::string("the futex operation ") + name + " is not modelled");
}

}  // namespace heddle::native
