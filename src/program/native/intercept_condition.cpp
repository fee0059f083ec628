// pthread_cond_*: a wait is two events, going to sleep (which releases the mutex) and waking up (which takes it again).
#include <pthread.h>

#include <cerrno>

#include "program/native/accesses.hpp"
#include "program/native/cancellation.hpp"
#include "program/native/locks.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/sync_clocks.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

#define HEDDLE_REAL_COND(name) HEDDLE_REAL_VERSION(name, "GLIBC_2.3.2")

namespace {

Condition& model_of_condition(pthread_cond_t* condition) { return *reinterpret_cast<Condition*>(condition); }

void check_usable(pthread_cond_t* condition, std::uint64_t site) {
  touch_object(word(condition));
  if ((model_of_condition(condition).flags & Condition::kDestroyed) != 0) {
    misuse("use of a condition variable that has been destroyed", site);
  }
}

void check_same_mutex(pthread_cond_t* condition, pthread_mutex_t* mutex, std::uint64_t site) {
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& other = *rt.fibres[i];
    if (other.sleep != Sleep::Condition || other.sleeps_on != word(condition) || other.signalled) continue;
    if (state_of(other.id).pending.second != word(mutex)) {
      rt.event.total = true;  // whoever waits second is to blame, though waits commute otherwise
      misuse("two threads wait on one condition variable with different mutexes", site);
    }
  }
}

int wait(pthread_cond_t* condition, pthread_mutex_t* object, clockid_t clock, const timespec* until,
         std::uint64_t site) {
  Fibre& fibre = *rt.current;
  Mutex& mutex = model_of(object);
  check_usable(condition, site);
  if (!holds(fibre, mutex)) {
    misuse("the thread waits on a condition variable with a mutex that it does not hold", site);
  }
  if (mutex.count > 0) {
    misuse("the thread waits on a condition variable with a mutex that it has locked more than once", site);
  }
  if (until != nullptr && (until->tv_nsec < 0 || until->tv_nsec >= 1'000'000'000)) return EINVAL;
  reach({.kind = OpKind::CondWait, .size = 1, .object = word(condition), .second = word(object), .site = site});
  rt.event.before = static_cast<std::uint64_t>(mutex.owner);
  object_access(word(condition), sizeof *condition, site);
  object_access(word(object), sizeof *object, site);
  check_usable(condition, site);
  check_same_mutex(condition, object, site);
  drop_any_mutex(fibre, mutex);
  fibre.sleep = Sleep::Condition;
  fibre.sleeps_on = word(condition);
  fibre.sleep_site = site;
  fibre.sleep_bits = kAllBits;
  fibre.signalled = false;
  set_deadline(fibre, clock, until);
  const Outcome outcome = reach({.kind = OpKind::CondWake,
                                 .timed = rt.settings.spurious_wakeups > 0 || mutex.robust(),
                                 .size = 1,
                                 .object = word(condition),
                                 .second = word(object),
                                 .site = site});
  rt.event.before = 0;  // the mutex was free
  fibre.sleep = Sleep::None;
  acquire(fibre, word(object));
  object_access(word(object), sizeof *object, site);
  const int error = take_any_mutex(fibre, mutex, site);
  if (outcome == kUsual) {
    rt.event.woken = wake_bit(fibre.id);
    return error;
  }
  rt.event.op.kind = OpKind::CondTimeout;
  if (outcome == kSpurious) {
    ++rt.spurious_used;
    return error;
  }
  act_if_cancelled();
  reach_deadline(fibre);
  return error != 0 ? error : ETIMEDOUT;
}

void wake(Fibre& sleeping, bool alone) {
  sleeping.signalled = true;
  sleeping.woken_alone = alone;
  rt.event.woken |= wake_bit(sleeping.id);
}

int signal_one(pthread_cond_t* condition, std::uint64_t site) {
  check_usable(condition, site);
  const Outcome outcome = reach({.kind = OpKind::CondSignal, .size = 1, .object = word(condition), .site = site});
  object_access(word(condition), sizeof *condition, site);
  check_usable(condition, site);
  const std::size_t waiting = count_sleepers(Sleep::Condition, word(condition));
  if (waiting == 0) {
    rt.event.op.kind = OpKind::CondSignalLost;
  } else {
    wake(sleeper(Sleep::Condition, word(condition), outcome), waiting == 1);
  }
  return 0;
}

int signal_all(pthread_cond_t* condition, std::uint64_t site) {
  check_usable(condition, site);
  reach({.kind = OpKind::CondBroadcast, .size = 1, .object = word(condition), .site = site});
  object_access(word(condition), sizeof *condition, site);
  check_usable(condition, site);
  std::size_t waiting = count_sleepers(Sleep::Condition, word(condition));
  if (waiting == 0) rt.event.op.kind = OpKind::CondSignalLost;
  for (; waiting > 0; --waiting) wake(sleeper(Sleep::Condition, word(condition), 0), true);
  return 0;
}

}  // namespace

HEDDLE_INTERCEPT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
  if (rt.inside) lifetime_access(word(condition), sizeof *condition, HEDDLE_SITE);
  return HEDDLE_REAL_COND(pthread_cond_init)(condition, attributes);
}

HEDDLE_INTERCEPT int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  if (!rt.inside) return HEDDLE_REAL_COND(pthread_cond_destroy)(condition);
  check_usable(condition, HEDDLE_SITE);
  lifetime_access(word(condition), sizeof *condition, HEDDLE_SITE);
  if (count_sleepers(Sleep::Condition, word(condition)) > 0) {
    misuse("a condition variable is destroyed while threads wait on it", HEDDLE_SITE);
  }
  model_of_condition(condition).flags |= Condition::kDestroyed;
  return 0;
}

HEDDLE_INTERCEPT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!rt.inside) return HEDDLE_REAL_COND(pthread_cond_wait)(condition, mutex);
  return wait(condition, mutex, CLOCK_REALTIME, nullptr, HEDDLE_SITE);
}

HEDDLE_INTERCEPT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  if (!rt.inside) return HEDDLE_REAL_COND(pthread_cond_timedwait)(condition, mutex, until);
  const bool monotonic = (model_of_condition(condition).flags & Condition::kMonotonic) != 0;
  return wait(condition, mutex, monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, until, HEDDLE_SITE);
}

HEDDLE_INTERCEPT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                            const timespec* until) {
  if (!rt.inside) return HEDDLE_REAL(pthread_cond_clockwait)(condition, mutex, clock, until);
  return wait(condition, mutex, clock, until, HEDDLE_SITE);
}

HEDDLE_INTERCEPT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  return rt.inside ? signal_one(condition, HEDDLE_SITE) : HEDDLE_REAL_COND(pthread_cond_signal)(condition);
}

HEDDLE_INTERCEPT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  return rt.inside ? signal_all(condition, HEDDLE_SITE) : HEDDLE_REAL_COND(pthread_cond_broadcast)(condition);
}
