// Mutexes as the interceptors of several files need them: condition variables release and take them too.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/native/fibre.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/sync_objects.hpp"
#include "program/native/time.hpp"

namespace heddle::native {

inline Mutex& model_of(pthread_mutex_t* mutex) { return *reinterpret_cast<Mutex*>(mutex); }

[[nodiscard]] inline bool holds(const Fibre& fibre, const Mutex& mutex) {
  return mutex.lock != 0 && mutex.owner == fibre.id.value + 1;
}

// A thread holds, or no longer holds, a lock.
inline void add_held(Fibre& fibre, std::uint64_t object, HeldKind kind, std::uint64_t site) {
  // In place, for the reason given at `reach`.
  HeldLock& held = fibre.held.emplace_back();
  held.object = object;
  held.site = site;
  held.kind = kind;
}
// Whether it is one of the first `count` of these.
[[nodiscard]] inline bool is_held_among(const std::vector<HeldLock>& held, std::uint64_t object, std::size_t count) {
  return std::any_of(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(std::min(count, held.size())),
                     [&](const HeldLock& lock) { return lock.object == object; });
}

// False if it did not hold it.
bool remove_held_below(Fibre& fibre, std::uint64_t object, HeldKind kind);
inline bool remove_held(Fibre& fibre, std::uint64_t object, HeldKind kind) {
  // The one taken last, mostly.
  if (fibre.held.empty() || fibre.held.back().object != object || fibre.held.back().kind != kind) {
    return remove_held_below(fibre, object, kind);
  }
  fibre.held.pop_back();
  return true;
}

// The thread takes a free mutex, whose clock it has acquired, or gives it back and releases it.
inline void take_mutex(Fibre& fibre, Mutex& mutex, std::uint64_t site) {
  mutex.lock = 1;
  mutex.owner = fibre.id.value + 1;
  mutex.count = 0;
  add_held(fibre, reinterpret_cast<std::uint64_t>(&mutex), HeldKind::Mutex, site);
}
inline void drop_mutex(Fibre& fibre, Mutex& mutex) {
  remove_held(fibre, reinterpret_cast<std::uint64_t>(&mutex), HeldKind::Mutex);
  mutex.lock = 0;
  mutex.owner = 0;
  release(fibre, reinterpret_cast<std::uint64_t>(&mutex));
}

// The same where the mutex may be a robust one: what taking it returns, and what becomes of it if nobody has declared
// it consistent.
inline int take_any_mutex(Fibre& fibre, Mutex& mutex, std::uint64_t site) {
  if (mutex.robust_state == Mutex::kNotRecoverable) return ENOTRECOVERABLE;
  take_mutex(fibre, mutex, site);
  return mutex.robust_state == Mutex::kOwnerDied ? EOWNERDEAD : 0;
}
inline void drop_any_mutex(Fibre& fibre, Mutex& mutex) {
  if (mutex.robust_state == Mutex::kOwnerDied) mutex.robust_state = Mutex::kNotRecoverable;
  drop_mutex(fibre, mutex);
}

// Announces how long the next timed operation waits.
inline void set_deadline(Fibre& fibre, clockid_t clock, const timespec* until) {
  fibre.timed = until != nullptr;
  if (until != nullptr) fibre.deadline = moment(clock, *until);
}
// The timed operation timed out: time has passed.
void reach_deadline(Fibre& fibre);

[[noreturn, gnu::cold]] void misuse(const char* sentence, std::uint64_t site);

}  // namespace heddle::native
