// Happens-before as C and C++ define it, for the race check: what each synchronisation object passes on from those who
// released it to those who acquire it. Virtual time travels the same way: a thread's clock is at least that of every
// thread it has heard of.
//
// Locks, semaphores and the like release and acquire as their functions say; atomics as their memory orders say, with
// release sequences (a read-modify-write continues one, a plain store ends it) and fences.
//
// Every release starts a new epoch of the releasing thread: what it does afterwards is not known to those who acquire.
#pragma once

#include <cstdint>

#include "program/native/fibre.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {

// An execution begins: no object has been released yet. `numbers_again`: see undo_log_reset.
void sync_clocks_reset(bool numbers_again) noexcept;
// A thread begins, knowing what its creator knows.
void start_clock(Fibre& fibre, Fibre* parent) noexcept;
// Of all that has been released, and of what a thread knows, to compare two ways that should lead to the same.
[[nodiscard]] std::uint64_t sync_clocks_fingerprint() noexcept;
[[nodiscard]] std::uint64_t clock_fingerprint(const Fibre& fibre) noexcept;

// Another object begins its life in this memory: nothing was released through it.
void sync_clocks_forget(std::uint64_t address, std::uint64_t size) noexcept;

// All of the following do nothing where the race check's state is known already (Runtime::checked); the work is done by
// the functions whose names say now.
void acquire_now(Fibre& fibre, std::uint64_t object) noexcept;
void release_now(Fibre& fibre, std::uint64_t object) noexcept;
void release_more_now(Fibre& fibre, std::uint64_t object) noexcept;
void atomic_load_sync_now(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept;
void atomic_store_sync_now(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept;
void atomic_rmw_release_now(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept;

// The thread learns what was released through the object.
inline void acquire(Fibre& fibre, std::uint64_t object) noexcept {
  if (!rt.checked) acquire_now(fibre, object);
}
// The object passes on exactly what the thread knows.
inline void release(Fibre& fibre, std::uint64_t object) noexcept {
  if (!rt.checked) release_now(fibre, object);
}
// The object passes on what the thread knows and what it passed on before.
inline void release_more(Fibre& fibre, std::uint64_t object) noexcept {
  if (!rt.checked) release_more_now(fibre, object);
}
// The thread learns all that another knew in the end.
void acquire_thread(Fibre& fibre, const Fibre& other) noexcept;
// Whether all other threads have ended and the thread has learnt all they knew.
[[nodiscard]] bool is_last_and_knows_all(const Fibre& fibre) noexcept;

// Atomic accesses, with orders numbered as compilers do. A read-modify-write is a load and then its releasing half.
// What an access acquires is learned before it is checked for races, what it releases is passed on after: it is itself
// among that.
inline void atomic_load_sync(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept {
  if (!rt.checked) atomic_load_sync_now(fibre, address, size, order);
}
inline void atomic_store_sync(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept {
  if (!rt.checked) atomic_store_sync_now(fibre, address, size, order);
}
inline void atomic_rmw_release(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept {
  if (!rt.checked) atomic_rmw_release_now(fibre, address, size, order);
}
void atomic_fence_sync(Fibre& fibre, int order) noexcept;

}  // namespace heddle::native
