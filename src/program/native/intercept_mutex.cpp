// pthread_mutex_* and pthread_spin_*.
#include <pthread.h>

#include <cerrno>

#include "program/native/accesses.hpp"
#include "program/native/await.hpp"
#include "program/native/entry_registers.hpp"
#include "program/native/exit.hpp"
#include "program/native/locks.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/thread_handles.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

namespace {

void check_usable(Mutex& mutex, std::uint64_t site) {
  touch_object(word(&mutex));
  if (mutex.kind == Mutex::kDestroyed) misuse("use of a mutex that has been destroyed", site);
}

// A mutex that its owner locks again: what POSIX says, which for a plain mutex is a deadlock with itself.
// The thread holds the mutex. If it did before exit handlers ran on it, another one may do so as well.
void check_at_exit(const Mutex& mutex) {
  if (rt.closing && is_held_among(rt.current->held, word(&mutex), rt.held_at_exit)) refuse_at_exit();
}

int relock(Mutex& mutex, bool trying, std::uint64_t site) {
  if (mutex.type() == PTHREAD_MUTEX_RECURSIVE || mutex.type() == PTHREAD_MUTEX_ERRORCHECK) check_at_exit(mutex);
  if (mutex.type() == PTHREAD_MUTEX_RECURSIVE) {
    ++mutex.count;
    await_takes_again(word(&mutex));
    return 0;
  }
  if (trying) return EBUSY;
  if (mutex.type() == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  misuse("the thread locks a mutex that it holds already", site);
}

int lock(pthread_mutex_t* object, clockid_t clock, const timespec* until, std::uint64_t site) {
  Mutex& mutex = model_of(object);
  Fibre& fibre = *rt.current;
  check_usable(mutex, site);
  if (holds(fibre, mutex)) return relock(mutex, false, site);
  if (until != nullptr && (until->tv_nsec < 0 || until->tv_nsec >= 1'000'000'000)) return EINVAL;
  set_deadline(fibre, clock, until);
  // A lock whose owner died may be had by several, in different ways.
  const Outcome outcome =
      reach({.kind = OpKind::MutexLock, .timed = mutex.robust(), .size = 1, .object = word(object), .site = site});
  rt.event.before = static_cast<std::uint64_t>(mutex.owner);
  acquire(fibre, word(object));
  object_access(word(object), sizeof *object, site);
  check_usable(mutex, site);
  if (outcome == kTimedOut) {
    rt.event.op.kind = OpKind::MutexLockFail;
    reach_deadline(fibre);
    return ETIMEDOUT;
  }
  if (until == nullptr && !mutex.robust()) await_takes(word(object), word(&mutex.owner), sizeof mutex.owner);
  return take_any_mutex(fibre, mutex, site);
}

int try_lock(pthread_mutex_t* object, std::uint64_t site) {
  Mutex& mutex = model_of(object);
  Fibre& fibre = *rt.current;
  check_usable(mutex, site);
  if (holds(fibre, mutex)) return relock(mutex, true, site);
  reach({.kind = OpKind::MutexTryLock, .timed = mutex.robust(), .size = 1, .object = word(object), .site = site});
  rt.event.before = static_cast<std::uint64_t>(mutex.owner);
  acquire(fibre, word(object));
  object_access(word(object), sizeof *object, site);
  check_usable(mutex, site);
  if (!mutex.free()) {
    rt.event.op.kind = OpKind::MutexLockFail;
    await_read(word(&mutex.owner), sizeof mutex.owner);
    await_observes(mutex.owner);
    return EBUSY;
  }
  if (!mutex.robust()) await_takes(word(object), word(&mutex.owner), sizeof mutex.owner);
  return take_any_mutex(fibre, mutex, site);
}

int unlock(pthread_mutex_t* object, std::uint64_t site) {
  Mutex& mutex = model_of(object);
  Fibre& fibre = *rt.current;
  check_usable(mutex, site);
  if (!holds(fibre, mutex)) {
    const bool checked = mutex.type() == PTHREAD_MUTEX_ERRORCHECK || mutex.type() == PTHREAD_MUTEX_RECURSIVE;
    if (checked || mutex.robust()) return EPERM;
    misuse(mutex.lock != 0 ? "the thread unlocks a mutex that another thread holds"
                           : "the thread unlocks a mutex that nobody holds",
           site);
  }
  check_at_exit(mutex);
  if (mutex.count > 0) {
    --mutex.count;
    await_gives_back(word(&mutex));
    return 0;
  }
  reach({.kind = OpKind::MutexUnlock, .size = 1, .object = word(object), .site = site});
  rt.event.before = static_cast<std::uint64_t>(mutex.owner);
  acquire(fibre, word(object));
  object_access(word(object), sizeof *object, site);
  if (!mutex.robust()) await_releases(word(object));
  drop_any_mutex(fibre, mutex);
  return 0;
}

// Static constructors run before there is anything to schedule; a mutex they leave locked is main's.
int lock_before_main(pthread_mutex_t* object) {
  Mutex& mutex = model_of(object);
  if (!mutex.free()) {
    ++mutex.count;
    return 0;
  }
  mutex.lock = 1;
  mutex.owner = kMainThread.value + 1;
  return 0;
}

int unlock_before_main(pthread_mutex_t* object) {
  Mutex& mutex = model_of(object);
  if (mutex.count > 0) {
    --mutex.count;
  } else {
    mutex.lock = mutex.owner = 0;
  }
  return 0;
}

}  // namespace

HEDDLE_ENTRY(int, pthread_mutex_lock, (pthread_mutex_t * mutex) noexcept) {
  if (booting()) return lock_before_main(mutex);
  return rt.inside ? lock(mutex, CLOCK_REALTIME, nullptr, HEDDLE_SITE) : HEDDLE_REAL(pthread_mutex_lock)(mutex);
}
HEDDLE_INTERCEPT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  return rt.inside ? lock(mutex, CLOCK_REALTIME, until, HEDDLE_SITE)
                   : HEDDLE_REAL(pthread_mutex_timedlock)(mutex, until);
}
HEDDLE_INTERCEPT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
  return rt.inside ? lock(mutex, clock, until, HEDDLE_SITE) : HEDDLE_REAL(pthread_mutex_clocklock)(mutex, clock, until);
}
HEDDLE_ENTRY(int, pthread_mutex_trylock, (pthread_mutex_t * mutex) noexcept) {
  if (booting()) return lock_before_main(mutex);
  return rt.inside ? try_lock(mutex, HEDDLE_SITE) : HEDDLE_REAL(pthread_mutex_trylock)(mutex);
}
HEDDLE_INTERCEPT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (booting()) return unlock_before_main(mutex);
  return rt.inside ? unlock(mutex, HEDDLE_SITE) : HEDDLE_REAL(pthread_mutex_unlock)(mutex);
}

// glibc's own only writes the object, in the layout the model shares, except that it keeps a ceiling in the lock.
HEDDLE_INTERCEPT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_mutex_init)(mutex, attributes);
  lifetime_access(word(mutex), sizeof *mutex, HEDDLE_SITE);
  sync_clocks_forget(word(mutex), sizeof *mutex);
  auto* real = HEDDLE_REAL(pthread_mutex_init);
  int error = 0;
  {
    OutsideProgram outside;  // it asks the kernel whether it has futexes with priority inheritance
    error = real(mutex, attributes);
  }
  int ceiling = 0;
  if (attributes != nullptr) pthread_mutexattr_getprioceiling(attributes, &ceiling);
  model_of(mutex).lock = 0;
  model_of(mutex).ceiling = static_cast<std::int16_t>(ceiling);
  return error;
}

// Ceilings are kept and have no effect: priorities have no influence on which interleavings there are.
HEDDLE_INTERCEPT int pthread_mutex_getprioceiling(const pthread_mutex_t* mutex, int* ceiling) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_mutex_getprioceiling)(mutex, ceiling);
  const Mutex& model = *reinterpret_cast<const Mutex*>(mutex);
  if (!model.has_ceiling()) return EINVAL;
  *ceiling = model.ceiling;
  return 0;
}
HEDDLE_INTERCEPT int pthread_mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* old) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_mutex_setprioceiling)(mutex, ceiling, old);
  Mutex& model = model_of(mutex);
  if (!model.has_ceiling()) return EINVAL;
  if (const int error = lock(mutex, CLOCK_REALTIME, nullptr, HEDDLE_SITE); error != 0) return error;
  if (old != nullptr) *old = model.ceiling;
  model.ceiling = static_cast<std::int16_t>(ceiling);
  return unlock(mutex, HEDDLE_SITE);
}

HEDDLE_INTERCEPT int pthread_mutex_destroy(pthread_mutex_t* object) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_mutex_destroy)(object);
  Mutex& mutex = model_of(object);
  check_usable(mutex, HEDDLE_SITE);
  lifetime_access(word(object), sizeof *object, HEDDLE_SITE);
  if (!mutex.free() && mutex.robust_state != Mutex::kNotRecoverable)
    misuse("a mutex is destroyed while it is locked", HEDDLE_SITE);
  mutex.kind = Mutex::kDestroyed;
  return 0;
}

HEDDLE_INTERCEPT int pthread_mutex_consistent(pthread_mutex_t* object) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_mutex_consistent)(object);
  Mutex& mutex = model_of(object);
  if (!mutex.robust() || mutex.robust_state != Mutex::kOwnerDied || !holds(*rt.current, mutex)) return EINVAL;
  mutex.robust_state = Mutex::kConsistent;
  return 0;
}

// The name it had before POSIX.
using MutexFunction = int (*)(pthread_mutex_t*);
HEDDLE_INTERCEPT int heddle_mutex_consistent_np(pthread_mutex_t* object) __asm__("pthread_mutex_consistent_np");
int heddle_mutex_consistent_np(pthread_mutex_t* object) {
  if (rt.inside) return pthread_mutex_consistent(object);
  return HEDDLE_REAL_UNDECLARED(MutexFunction, "pthread_mutex_consistent_np")(object);
}

// Spin locks: 4 bytes, 0 free, else thread number + 1. The size of the operation tells them from mutexes.
namespace {

std::int32_t& spin(pthread_spinlock_t* lock) { return *const_cast<std::int32_t*>(lock); }

void check_spin_usable(pthread_spinlock_t* lock, std::uint64_t site) {
  touch_object(word(lock));
  if (spin(lock) == kDestroyedSpinLock) misuse("use of a spin lock that has been destroyed", site);
}

void spin_reach(OpKind kind, pthread_spinlock_t* lock, std::uint64_t site) {
  reach({.kind = kind, .size = kSpinLockSize, .object = word(lock), .site = site});
  rt.event.before = static_cast<std::uint64_t>(spin(lock));
  object_access(word(lock), sizeof *lock, site);
}

void spin_taken(pthread_spinlock_t* lock, std::uint64_t site) {
  Fibre& fibre = *rt.current;
  spin(lock) = fibre.id.value + 1;
  acquire(fibre, word(lock));
  add_held(fibre, word(lock), HeldKind::Spin, site);
}

}  // namespace

HEDDLE_INTERCEPT int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  if (!rt.inside && !booting()) return HEDDLE_REAL(pthread_spin_init)(lock, shared);
  lifetime_access(word(lock), sizeof *lock, HEDDLE_SITE);
  spin(lock) = 0;
  return 0;
}
HEDDLE_INTERCEPT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_spin_destroy)(lock);
  lifetime_access(word(lock), sizeof *lock, HEDDLE_SITE);
  check_spin_usable(lock, HEDDLE_SITE);
  if (spin(lock) != 0) misuse("a spin lock is destroyed while it is locked", HEDDLE_SITE);
  spin(lock) = kDestroyedSpinLock;
  return 0;
}
HEDDLE_INTERCEPT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (booting()) {
    spin(lock) = kMainThread.value + 1;
    return 0;
  }
  if (!rt.inside) return HEDDLE_REAL(pthread_spin_lock)(lock);
  check_spin_usable(lock, HEDDLE_SITE);
  if (spin(lock) == rt.current->id.value + 1) {
    misuse("the thread locks a spin lock that it holds already", HEDDLE_SITE);
  }
  spin_reach(OpKind::MutexLock, lock, HEDDLE_SITE);
  spin_taken(lock, HEDDLE_SITE);
  return 0;
}
HEDDLE_ENTRY(int, pthread_spin_trylock, (pthread_spinlock_t * lock) noexcept) {
  if (!rt.inside) return HEDDLE_REAL(pthread_spin_trylock)(lock);
  check_spin_usable(lock, HEDDLE_SITE);
  spin_reach(OpKind::MutexTryLock, lock, HEDDLE_SITE);
  if (spin(lock) != 0) {
    rt.event.op.kind = OpKind::MutexLockFail;
    await_read(word(lock), sizeof(std::int32_t));
    return EBUSY;
  }
  spin_taken(lock, HEDDLE_SITE);
  return 0;
}
HEDDLE_INTERCEPT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (booting()) {
    spin(lock) = 0;
    return 0;
  }
  if (!rt.inside) return HEDDLE_REAL(pthread_spin_unlock)(lock);
  Fibre& fibre = *rt.current;
  check_spin_usable(lock, HEDDLE_SITE);
  if (spin(lock) != fibre.id.value + 1) misuse("the thread unlocks a spin lock that it does not hold", HEDDLE_SITE);
  spin_reach(OpKind::MutexUnlock, lock, HEDDLE_SITE);
  remove_held(fibre, word(lock), HeldKind::Spin);
  spin(lock) = 0;
  release(fibre, word(lock));
  return 0;
}
