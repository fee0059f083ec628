// pthread_rwlock_*. Readers and writers are admitted whenever the lock allows it: POSIX leaves preference open, so
// every order is explored.
#include <pthread.h>

#include <cerrno>

#include "program/native/accesses.hpp"
#include "program/native/await.hpp"
#include "program/native/entry_registers.hpp"
#include "program/native/locks.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/thread_handles.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

namespace {

RwLock& model_of_rwlock(pthread_rwlock_t* lock) { return *reinterpret_cast<RwLock*>(lock); }

// Readers learn only what writers released; a second clock, under an address within the object that nothing else uses,
// holds what readers released.
std::uint64_t readers_clock(pthread_rwlock_t* lock) { return word(lock) + 1; }

void check_usable(pthread_rwlock_t* lock, std::uint64_t site) {
  touch_object(word(lock));
  if (model_of_rwlock(lock).readers == RwLock::kDestroyed) misuse("use of a rwlock that has been destroyed", site);
}

void taken(Fibre& fibre, pthread_rwlock_t* lock, bool write, std::uint64_t site) {
  RwLock& model = model_of_rwlock(lock);
  acquire(fibre, word(lock));
  if (write) {
    acquire(fibre, readers_clock(lock));
    model.writer = fibre.id.value + 1;
  } else {
    ++model.readers;
  }
  add_held(fibre, word(lock), write ? HeldKind::Write : HeldKind::Read, site);
}

int lock_it(pthread_rwlock_t* lock, bool write, clockid_t clock, const timespec* until, std::uint64_t site) {
  Fibre& fibre = *rt.current;
  check_usable(lock, site);
  if (model_of_rwlock(lock).writer == fibre.id.value + 1) return EDEADLK;
  if (until != nullptr && (until->tv_nsec < 0 || until->tv_nsec >= 1'000'000'000)) return EINVAL;
  set_deadline(fibre, clock, until);
  const OpKind kind = write ? OpKind::RwWriteLock : OpKind::RwReadLock;
  const Outcome outcome = reach({.kind = kind, .size = 1, .object = word(lock), .site = site});
  object_access(word(lock), sizeof *lock, site);
  check_usable(lock, site);
  if (outcome == kTimedOut) {
    rt.event.op.kind = OpKind::RwLockFail;
    reach_deadline(fibre);
    return ETIMEDOUT;
  }
  taken(fibre, lock, write, site);
  return 0;
}

int try_it(pthread_rwlock_t* lock, bool write, std::uint64_t site) {
  Fibre& fibre = *rt.current;
  check_usable(lock, site);
  reach({.kind = OpKind::RwTryLock, .size = 1, .object = word(lock), .site = site});
  object_access(word(lock), sizeof *lock, site);
  check_usable(lock, site);
  const RwLock& model = model_of_rwlock(lock);
  if (model.writer != 0 || (write && model.readers != 0)) {
    rt.event.op.kind = OpKind::RwLockFail;
    await_read(word(&model.writer), sizeof model.writer);
    if (write) await_read(word(&model.readers), sizeof model.readers);
    return EBUSY;
  }
  rt.event.op.kind = write ? OpKind::RwWriteLock : OpKind::RwReadLock;
  taken(fibre, lock, write, site);
  return 0;
}

int unlock_it(pthread_rwlock_t* lock, std::uint64_t site) {
  Fibre& fibre = *rt.current;
  check_usable(lock, site);
  RwLock& model = model_of_rwlock(lock);
  const bool write = model.writer == fibre.id.value + 1;
  if (!write && !remove_held(fibre, word(lock), HeldKind::Read)) {
    misuse("the thread unlocks a rwlock that it does not hold", site);
  }
  const OpKind kind = write ? OpKind::RwWriteUnlock : OpKind::RwReadUnlock;
  reach({.kind = kind, .size = 1, .object = word(lock), .site = site});
  object_access(word(lock), sizeof *lock, site);
  if (write) {
    remove_held(fibre, word(lock), HeldKind::Write);
    model.writer = 0;
    release(fibre, word(lock));
  } else {
    --model.readers;
    release_more(fibre, readers_clock(lock));
  }
  return 0;
}

// Static constructors run before there is anything to schedule.
int lock_before_main(pthread_rwlock_t* lock, bool write) {
  RwLock& model = model_of_rwlock(lock);
  if (write) {
    model.writer = kMainThread.value + 1;
  } else {
    ++model.readers;
  }
  return 0;
}

int unlock_before_main(pthread_rwlock_t* lock) {
  RwLock& model = model_of_rwlock(lock);
  if (model.writer != 0) {
    model.writer = 0;
  } else if (model.readers > 0) {
    --model.readers;
  }
  return 0;
}

}  // namespace

HEDDLE_INTERCEPT int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) noexcept {
  if (rt.inside) {
    lifetime_access(word(lock), sizeof *lock, HEDDLE_SITE);
    sync_clocks_forget(word(lock), sizeof *lock);
  }
  return HEDDLE_REAL(pthread_rwlock_init)(lock, attributes);
}
HEDDLE_INTERCEPT int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_rwlock_destroy)(lock);
  check_usable(lock, HEDDLE_SITE);
  lifetime_access(word(lock), sizeof *lock, HEDDLE_SITE);
  RwLock& model = model_of_rwlock(lock);
  if (model.writer != 0 || model.readers != 0) misuse("a rwlock is destroyed while it is locked", HEDDLE_SITE);
  model.readers = RwLock::kDestroyed;
  return 0;
}
HEDDLE_INTERCEPT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (booting()) return lock_before_main(lock, false);
  return rt.inside ? lock_it(lock, false, CLOCK_REALTIME, nullptr, HEDDLE_SITE)
                   : HEDDLE_REAL(pthread_rwlock_rdlock)(lock);
}
HEDDLE_INTERCEPT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (booting()) return lock_before_main(lock, true);
  return rt.inside ? lock_it(lock, true, CLOCK_REALTIME, nullptr, HEDDLE_SITE)
                   : HEDDLE_REAL(pthread_rwlock_wrlock)(lock);
}
HEDDLE_INTERCEPT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_rwlock_timedrdlock)(lock, until);
  return lock_it(lock, false, CLOCK_REALTIME, until, HEDDLE_SITE);
}
HEDDLE_INTERCEPT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_rwlock_timedwrlock)(lock, until);
  return lock_it(lock, true, CLOCK_REALTIME, until, HEDDLE_SITE);
}
HEDDLE_INTERCEPT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* until) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_rwlock_clockrdlock)(lock, clock, until);
  return lock_it(lock, false, clock, until, HEDDLE_SITE);
}
HEDDLE_INTERCEPT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* until) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_rwlock_clockwrlock)(lock, clock, until);
  return lock_it(lock, true, clock, until, HEDDLE_SITE);
}
HEDDLE_ENTRY(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock) noexcept) {
  if (booting()) return lock_before_main(lock, false);
  return rt.inside ? try_it(lock, false, HEDDLE_SITE) : HEDDLE_REAL(pthread_rwlock_tryrdlock)(lock);
}
HEDDLE_ENTRY(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * lock) noexcept) {
  if (booting()) return lock_before_main(lock, true);
  return rt.inside ? try_it(lock, true, HEDDLE_SITE) : HEDDLE_REAL(pthread_rwlock_trywrlock)(lock);
}
HEDDLE_INTERCEPT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  if (booting()) return unlock_before_main(lock);
  return rt.inside ? unlock_it(lock, HEDDLE_SITE) : HEDDLE_REAL(pthread_rwlock_unlock)(lock);
}
