// Synchronisation objects, modelled in place in the program's own pthread_*_t memory, so that putting memory back puts
// them back too. Layouts keep glibc's meaning of the static initialisers and of the `kind` field; the rest is ours.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <cstdint>

namespace heddle::native {

// glibc's pthread_mutex_t. `lock`: 0 free, 1 held. `owner`: thread number + 1 while held.
struct Mutex {
  static constexpr std::int32_t kTypeMask = 3;
  static constexpr std::int32_t kRobust = 16;
  static constexpr std::int32_t kCeiling = 64;
  static constexpr std::int32_t kDestroyed = -1;
  // What a robust mutex has come to.
  static constexpr std::int16_t kConsistent = 0;
  static constexpr std::int16_t kOwnerDied = 1;
  static constexpr std::int16_t kNotRecoverable = 2;

  std::int32_t lock;
  std::uint32_t count;  // extra acquisitions of a recursive mutex
  std::int32_t owner;
  std::uint32_t users;
  std::int32_t kind;
  std::int16_t robust_state;
  std::int16_t ceiling;  // of a mutex that protects by priority; priorities themselves are not modelled

  [[nodiscard]] bool free() const noexcept { return lock == 0; }
  [[nodiscard]] std::int32_t type() const noexcept { return kind & kTypeMask; }
  [[nodiscard]] bool robust() const noexcept { return (kind & kRobust) != 0; }
  [[nodiscard]] bool has_ceiling() const noexcept { return (kind & kCeiling) != 0; }
};
static_assert(sizeof(Mutex) <= sizeof(pthread_mutex_t));

// glibc's pthread_cond_t: only its flags matter to us; waiters are known to the runtime.
struct Condition {
  static constexpr std::uint32_t kMonotonic = 2;  // glibc's bit in __wrefs
  static constexpr std::uint32_t kDestroyed = 0x80000000;
  std::uint64_t unused[4];
  std::uint32_t unused2;
  std::uint32_t flags;
};
static_assert(sizeof(Condition) <= sizeof(pthread_cond_t));

struct RwLock {
  static constexpr std::uint32_t kDestroyed = 0xFFFFFFFF;
  std::uint32_t readers;
  std::uint32_t unused[5];
  std::int32_t writer;  // thread number + 1
};
static_assert(sizeof(RwLock) <= sizeof(pthread_rwlock_t));

inline constexpr std::int32_t kDestroyedSpinLock = -1;
inline constexpr std::uint32_t kSpinLockSize = 4;  // of operations on them, which have the kinds of mutexes

struct Semaphore {
  std::uint32_t value;
  std::uint32_t destroyed;
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));

struct Barrier {
  std::uint32_t parties;
  std::uint32_t arrived;
  std::uint64_t generation;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));

// pthread_once_t and, with other values, the guard byte of a static local.
struct Once {
  static constexpr std::int32_t kFresh = 0;
  static constexpr std::int32_t kRunning = 1;
  static constexpr std::int32_t kDone = 2;
  std::int32_t state;
};
static_assert(sizeof(Once) <= sizeof(pthread_once_t));

// libc++'s once_flag, which operations are told apart by this size of.
inline constexpr std::uint32_t kLibcxxOnceSize = 16;
inline constexpr std::uint64_t kLibcxxOnceRunning = 1;

}  // namespace heddle::native
