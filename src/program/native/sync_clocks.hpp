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

namespace heddle::native {

// An execution begins: no object has been released yet.
void sync_clocks_reset() noexcept;

// Another object begins its life in this memory: nothing was released through it.
void sync_clocks_forget(std::uint64_t address, std::uint64_t size) noexcept;

// The thread learns what was released through the object.
void acquire(Fibre& fibre, std::uint64_t object) noexcept;
// The object passes on exactly what the thread knows.
void release(Fibre& fibre, std::uint64_t object) noexcept;
// The object passes on what the thread knows and what it passed on before.
void release_more(Fibre& fibre, std::uint64_t object) noexcept;
// The thread learns all that another knew in the end.
void acquire_thread(Fibre& fibre, const Fibre& other) noexcept;

// Atomic accesses, with orders numbered as compilers do. A read-modify-write is a load and then its releasing half.
// What an access acquires is learned before it is checked for races, what it releases is passed on after: it is itself
// among that.
void atomic_load_sync(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept;
void atomic_store_sync(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept;
void atomic_rmw_release(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept;
void atomic_fence_sync(Fibre& fibre, int order) noexcept;

}  // namespace heddle::native
