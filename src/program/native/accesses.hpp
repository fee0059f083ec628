// What every memory access of the program goes through: bounds and life of heap blocks, life of stacks, data races,
// and, when all accesses are visible, the scheduler.
#pragma once

#include <cstdint>

#include "program/native/arena.hpp"
#include "program/native/await.hpp"
#include "program/native/layout.hpp"
#include "program/native/private_stacks.hpp"
#include "program/native/race_check.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"
#include "program/native/stack_check.hpp"

namespace heddle::native {

inline bool on_heap(std::uint64_t address) noexcept { return address - kInitialHeap < kMaps - kInitialHeap; }
inline bool on_stack_of_another(const Fibre& fibre, std::uint64_t address) noexcept {
  return address - kStacks < kMaxThreads * kStackSlot && (address - kStacks) / kStackSlot != fibre.id.value;
}
// Whether there may come a time when a thread must not access this memory any more.
inline bool has_life(const Fibre& fibre, std::uint64_t address) noexcept {
  return on_heap(address) || on_stack_of_another(fibre, address);
}

inline void check_life(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site) {
  if (rt.checked) return;
  if (on_heap(address)) {
    heap_check(address, size, write, site);
  } else if (on_stack_of_another(*rt.current, address)) {
    stack_check(address, write, site);
  }
}

// Remembers, with the event of an access that is about to happen, what the memory was.
inline void keep_value_before(std::uint64_t address, std::uint64_t size) {
  if (size <= sizeof rt.event.before) {
    __builtin_memcpy(&rt.event.before, reinterpret_cast<const void*>(address), size);
  }
}

// The scheduling half of a plain access: when all accesses are visible, other threads may run first.
inline void visit(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site) {
  if (__builtin_expect(rt.settings.visible_all, 0)) {
    reach({.kind = write ? OpKind::Store : OpKind::Load,
           .order = 0,
           .plain = true,
           .size = static_cast<std::uint32_t>(size),
           .object = address,
           .site = site});
    keep_value_before(address, size);
    if (write && rt.settings.stateful) rt.event.idle = is_private(*rt.current, address);
    if (!write && size <= 8) await_read(address, static_cast<std::uint32_t>(size));
  }
}

// The checking half.
inline void inspect(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site) {
  check_life(address, size, write, site);
  race_check(address, size, write ? Access::Write : Access::Read, site);
}

// Likewise, but for accesses of a thread that has declared its races harmless (intercept_annotations.cpp).
inline void inspect_unless_declared(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site) {
  if (__builtin_expect((write ? rt.current->unchecked_writes : rt.current->unchecked_reads) > 0, 0)) {
    check_life(address, size, write, site);
  } else {
    inspect(address, size, write, site);
  }
}

// Whether a plain access has nothing to do with anybody else: to a thread's own stack when the others have ended (by
// the destructors of threads that have been joined, say).
inline bool concerns_nobody(std::uint64_t address) noexcept {
  return rt.unwatched && address - rt.current->stack_low < rt.current->stack_high - rt.current->stack_low;
}

// A plain access by the program, just before it happens. The first half decides quickly that there is nothing to do.
void visible_access(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site);
void visit_and_inspect(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site);
// A constructor or destructor is about to store a virtual table's address.
void vptr_access(void** address, void* value, std::uint64_t site);
__attribute__((always_inline)) inline void plain_access(std::uint64_t address, std::uint64_t size, bool write,
                                                        std::uint64_t site) {
  if (!rt.inside || size == 0) return;
  await_plain(address, size, write);
  if (rt.checked && !rt.settings.visible_all) return;
  visit_and_inspect(address, size, write, site);
}

// A synchronisation object begins or ends its life: a plain write of all its bytes, which nothing commutes with that is
// done to the object as such.
inline void lifetime_access(std::uint64_t address, std::uint64_t size, std::uint64_t site) {
  if (!rt.inside) return;
  await_effect();
  await_write(address, size);
  if (rt.settings.visible_all) reach({.kind = OpKind::Unknown, .object = address, .site = site});
  inspect(address, size, true, site);
}

// Before a synchronisation operation is announced: a wild pointer shows here, on the thread's own stack, rather than
// when somebody asks whether the operation is enabled.
inline void touch_object(std::uint64_t address) { (void)*reinterpret_cast<const volatile char*>(address); }

// A synchronisation operation's access to its object, once it is its turn and before it releases anything: like an
// atomic access, so that freeing, initialising or destroying the object without being ordered with it is found in
// either order.
inline void object_access(std::uint64_t address, std::uint64_t size, std::uint64_t site) {
  await_atomic_write(address, size);
  check_life(address, size, true, site);
  race_check(address, 1, Access::AtomicWrite, site);
}

}  // namespace heddle::native
