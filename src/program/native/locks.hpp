// Mutexes as the interceptors of several files need them: condition variables release and take them too.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "program/native/fibre.hpp"
#include "program/native/sync_objects.hpp"

namespace heddle::native {

inline Mutex& model_of(pthread_mutex_t* mutex) { return *reinterpret_cast<Mutex*>(mutex); }

[[nodiscard]] inline bool holds(const Fibre& fibre, const Mutex& mutex) {
  return mutex.lock != 0 && mutex.owner == fibre.id.value + 1;
}

// The thread takes a free mutex, whose clock it has acquired, or gives it back and releases it.
void take_mutex(Fibre& fibre, Mutex& mutex, std::uint64_t site);
void drop_mutex(Fibre& fibre, Mutex& mutex);

// A thread holds, or no longer holds, a lock.
void add_held(Fibre& fibre, std::uint64_t object, HeldKind kind, std::uint64_t site);
// False if it did not hold it.
bool remove_held(Fibre& fibre, std::uint64_t object, HeldKind kind);

// Announces how long the next timed operation waits.
void set_deadline(Fibre& fibre, clockid_t clock, const timespec* until);
// The timed operation timed out: time has passed.
void reach_deadline(Fibre& fibre);

[[noreturn]] void misuse(const char* sentence, std::uint64_t site);

}  // namespace heddle::native
