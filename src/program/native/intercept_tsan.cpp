// What compilers call under -fsanitize=thread for plain memory accesses, function entry and exit.
#include <cstddef>
#include <cstdint>

#include "program/native/accesses.hpp"
#include "program/native/entry_registers.hpp"
#include "program/native/own_memory.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/sync_clocks.hpp"

namespace heddle::native {

namespace {

__attribute__((noinline)) void inspect_with_life(std::uint64_t address, std::uint64_t size, bool write,
                                                 std::uint64_t site) {
  inspect_unless_declared(address, size, write, site);
}

}  // namespace

// What is neither on the heap nor on a stack of another thread lives for ever, or as long as the thread.
void visit_and_inspect(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site) {
  if (__builtin_expect(rt.settings.visible_all, 0)) return visible_access(address, size, write, site);
  const Fibre& fibre = *rt.current;
  if ((fibre.unchecked_reads | fibre.unchecked_writes) != 0 || has_life(fibre, address)) {
    return inspect_with_life(address, size, write, site);
  }
  race_check(address, size, write ? Access::Write : Access::Read, site);
}

namespace {

__attribute__((noinline, cold)) void clearing_access(std::uint64_t address, std::uint64_t size, bool write,
                                                     std::uint64_t site) {
  plain_access(address, size, write, site);
  clear_before_call();
}

template <bool kWrite>
__attribute__((noinline)) void concerning_access(std::uint64_t address, std::uint64_t size, std::uint64_t site) {
  if (__builtin_expect(heddle_clear_plain, 0)) return clearing_access(address, size, kWrite, site);
  plain_access(address, size, kWrite, site);
}

// An access that the program makes: nothing of its check is left on the stack, where that matters.
__attribute__((always_inline)) inline void programs_access(std::uint64_t address, std::uint64_t size, bool write,
                                                           std::uint64_t site) {
  if (concerns_nobody(address)) return;
  return write ? concerning_access<true>(address, size, site) : concerning_access<false>(address, size, site);
}

}  // namespace
}  // namespace heddle::native

using heddle::native::programs_access;
using heddle::native::rt;
using heddle::native::word;

#define HEDDLE_PLAIN_ENTRY(name, parameters) HEDDLE_ENTRY_IF(heddle_plain_entry_wanted, void, __tsan_##name, parameters)

#define HEDDLE_ACCESS(name, size, write) \
  HEDDLE_PLAIN_ENTRY(name, (void* address)) { programs_access(word(address), size, write, HEDDLE_SITE); }

#define HEDDLE_ACCESSES(size)                                       \
  HEDDLE_ACCESS(read##size, size, false)                            \
  HEDDLE_ACCESS(write##size, size, true)                            \
  HEDDLE_ACCESS(unaligned_read##size, size, false)                  \
  HEDDLE_ACCESS(unaligned_write##size, size, true)                  \
  HEDDLE_ACCESS(volatile_read##size, size, false)                   \
  HEDDLE_ACCESS(volatile_write##size, size, true)                   \
  HEDDLE_ACCESS(unaligned_volatile_read##size, size, false)         \
  HEDDLE_ACCESS(unaligned_volatile_write##size, size, true)         \
  HEDDLE_ACCESS(read_write##size, size, true)                       \
  HEDDLE_ACCESS(unaligned_read_write##size, size, true)             \
  HEDDLE_PLAIN_ENTRY(read##size##_pc, (void* address, void* pc)) {  \
    programs_access(word(address), size, false, word(pc));          \
  }                                                                 \
  HEDDLE_PLAIN_ENTRY(write##size##_pc, (void* address, void* pc)) { \
    programs_access(word(address), size, true, word(pc));           \
  }

HEDDLE_ACCESSES(1)
HEDDLE_ACCESSES(2)
HEDDLE_ACCESSES(4)
HEDDLE_ACCESSES(8)
HEDDLE_ACCESSES(16)

HEDDLE_PLAIN_ENTRY(read_range, (void* address, std::size_t size)) {
  programs_access(word(address), size, false, HEDDLE_SITE);
}
HEDDLE_PLAIN_ENTRY(write_range, (void* address, std::size_t size)) {
  programs_access(word(address), size, true, HEDDLE_SITE);
}

// A constructor or destructor that stores the value already there changes nothing.
HEDDLE_PLAIN_ENTRY(vptr_update, (void** address, void* value)) {
  if (rt.inside) heddle::native::vptr_access(address, value, HEDDLE_SITE);
}
HEDDLE_PLAIN_ENTRY(vptr_read, (void** address)) { programs_access(word(address), sizeof(void*), false, HEDDLE_SITE); }

// Call stacks are taken by unwinding when a finding is replayed, so exploration pays nothing for them.
HEDDLE_INTERCEPT void __tsan_init() {}
HEDDLE_INTERCEPT void __tsan_func_entry(void* /*caller*/) {}
HEDDLE_INTERCEPT void __tsan_func_exit() {}
HEDDLE_INTERCEPT void __tsan_ignore_thread_begin() {}
HEDDLE_INTERCEPT void __tsan_ignore_thread_end() {}

// Annotations that a program under ThreadSanitizer may make by hand.
HEDDLE_INTERCEPT void __tsan_acquire(void* address) {
  if (rt.inside) heddle::native::acquire(*rt.current, word(address));
}
HEDDLE_INTERCEPT void __tsan_release(void* address) {
  if (rt.inside) heddle::native::release_more(*rt.current, word(address));
}
HEDDLE_INTERCEPT void __tsan_mutex_create(void*, unsigned) {}
HEDDLE_INTERCEPT void __tsan_mutex_destroy(void*, unsigned) {}
HEDDLE_INTERCEPT void __tsan_mutex_pre_lock(void*, unsigned) {}
HEDDLE_INTERCEPT void __tsan_mutex_post_lock(void*, unsigned, int) {}
HEDDLE_INTERCEPT int __tsan_mutex_pre_unlock(void*, unsigned) { return 0; }
HEDDLE_INTERCEPT void __tsan_mutex_post_unlock(void*, unsigned) {}
HEDDLE_INTERCEPT void __tsan_mutex_pre_signal(void*, unsigned) {}
HEDDLE_INTERCEPT void __tsan_mutex_post_signal(void*, unsigned) {}
HEDDLE_INTERCEPT void __tsan_mutex_pre_divert(void*, unsigned) {}
HEDDLE_INTERCEPT void __tsan_mutex_post_divert(void*, unsigned) {}
