// malloc and its kin, and C++'s new and delete. Who asks decides where the memory comes from:
//   the program under control      the arena of its thread
//   the program before main        the initial heap, part of the state that restarts go back to
//   libc on the runtime's behalf   the runtime's own heap
//   a program that is not checked  libc's own heap
#include <malloc.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "program/native/accesses.hpp"
#include "program/native/arena.hpp"
#include "program/native/control.hpp"
#include "program/native/heap_objects.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/race_check.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_heap.hpp"
#include "program/native/system_library.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

constexpr std::size_t kAlignment = 16;

// Alignments beyond 16 are rare outside the program; over-allocating serves them.
void* from_runtime_heap(std::size_t size, std::size_t alignment) {
  if (alignment <= kAlignment) return runtime_allocate(size);
  const auto block = reinterpret_cast<std::uintptr_t>(runtime_allocate(size + alignment));
  return reinterpret_cast<void*>((block + alignment - 1) & ~(alignment - 1));
}

// With --alloc-failures, whether this allocation is one that fails: a choice, made as often in an execution as was
// asked for, over all threads. What the C library needs for itself never fails.
bool fails_by_choice(std::uint64_t site) {
  if (rt.settings.allocation_failures == 0 || called_from_system_library(site)) return false;
  if (reach({.kind = OpKind::Allocate, .site = site}) != kTimedOut) return false;
  ++change_process_objects().allocation_failures;
  rt.event.total = true;
  return true;
}

// When all accesses are visible, the end of a block's life is one to all of it, and so is the beginning of the next: an
// access by another thread before, between or after them is a different thing each time. So is an operation on a lock,
// a semaphore, a condition variable inside the block, which conflicts with no access to memory: where there has been
// one, the step depends on everything (for who leaves nothing out it always does). Of what system libraries allocate
// for themselves it is not known in time who has access to it.
void visit_block(const void* block, std::size_t size, std::uint64_t site) {
  if (!rt.inside || !rt.settings.visible_all || block == nullptr || size == 0) return;
  if (called_from_system_library(site)) {
    if (rt.settings.stateful) rt.event.total = true;
    return;
  }
  visit(word(block), size, true, site);
  if (rt.recording || !rt.settings.reduced || may_hold_objects(word(block), size)) rt.event.total = true;
}

void* allocate(std::size_t size, std::size_t alignment, bool zeroed, std::uint64_t site) {
  void* block = nullptr;
  switch (control()) {
    case Control::Program:
      if (fails_by_choice(site)) break;
      visit_block(arena_reused(size, alignment), size, site);
      block = arena_allocate(size, alignment, site);
      break;
    case Control::BeforeMain: block = arena_allocate(size, alignment, site); break;
    case Control::Runtime:
      block = from_runtime_heap(size, alignment);
      if (zeroed) std::memset(block, 0, size);
      break;
    case Control::None:
      if (zeroed) return __libc_calloc(1, size);
      return alignment > kAlignment ? __libc_memalign(alignment, size) : __libc_malloc(size);
  }
  if (block == nullptr) errno = ENOMEM;
  return block;
}

void deallocate(void* block, std::uint64_t site) {
  if (block == nullptr) return;
  if (in_arena(block)) {
    visit_block(block, arena_live_size(block), site);
    arena_free(block, site);
  } else if (in_runtime_heap(block)) {
    // Aligned blocks of the runtime are not at the start of theirs; they live as long as the process.
    if (control() != Control::Program) runtime_free(block);
  } else if (control() == Control::Program) {
    rt.fault_address = reinterpret_cast<std::uint64_t>(block);
    fail(heddle::FindingKind::DoubleFree, "an address is freed that no allocation function returned", site);
  } else if (control() == Control::None) {
    __libc_free(block);
  }
}

void* reallocate(void* block, std::size_t size, std::uint64_t site) {
  if (block == nullptr) return allocate(size, kAlignment, false, site);
  if (in_arena(block)) {
    visit_block(block, arena_live_size(block), site);
    if (size == 0) {
      arena_free(block, site);
      return nullptr;
    }
    if (control() == Control::Program && fails_by_choice(site)) {
      errno = ENOMEM;
      return nullptr;
    }
    visit_block(arena_reused(size, kAlignment), size, site);
    return arena_reallocate(block, size, site);
  }
  if (!in_runtime_heap(block)) return __libc_realloc(block, size);
  void* moved = allocate(size, kAlignment, false, site);
  const std::size_t kept = runtime_usable_size(block);
  std::memcpy(moved, block, kept < size ? kept : size);
  runtime_free(block);
  return moved;
}

bool power_of_two(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

HEDDLE_INTERCEPT void* malloc(std::size_t size) noexcept { return allocate(size, kAlignment, false, HEDDLE_SITE); }
HEDDLE_INTERCEPT void free(void* block) noexcept { deallocate(block, HEDDLE_SITE); }
HEDDLE_INTERCEPT void* calloc(std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return allocate(bytes, kAlignment, true, HEDDLE_SITE);
}
HEDDLE_INTERCEPT void* realloc(void* block, std::size_t size) noexcept { return reallocate(block, size, HEDDLE_SITE); }
HEDDLE_INTERCEPT void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(block, bytes, HEDDLE_SITE);
}
HEDDLE_INTERCEPT void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return allocate(size, alignment, false, HEDDLE_SITE);
}
HEDDLE_INTERCEPT void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  if (!power_of_two(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return allocate(size, alignment, false, HEDDLE_SITE);
}
HEDDLE_INTERCEPT int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  if (!power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* allocated = allocate(size, alignment, false, HEDDLE_SITE);
  if (allocated == nullptr) return ENOMEM;
  *block = allocated;
  return 0;
}
HEDDLE_INTERCEPT void* valloc(std::size_t size) noexcept { return allocate(size, 4096, false, HEDDLE_SITE); }
HEDDLE_INTERCEPT void* pvalloc(std::size_t size) noexcept {
  return allocate((size + 4095) & ~std::size_t{4095}, 4096, false, HEDDLE_SITE);
}
HEDDLE_INTERCEPT std::size_t malloc_usable_size(void* block) noexcept {
  if (block == nullptr) return 0;
  if (in_arena(block)) return arena_usable_size(block);
  return in_runtime_heap(block) ? runtime_usable_size(block) : HEDDLE_REAL(malloc_usable_size)(block);
}

// new and delete, under the names the compiler gives them: the plain operators here are the runtime's own.
namespace {

using NewFunction = void* (*)(std::size_t);

// Out of memory: the program's own C++ library runs its new-handler and throws, as only it can.
void* new_or_throw(std::size_t size, std::size_t alignment, std::uint64_t site) {
  void* block = allocate(size, alignment, false, site);
  if (block != nullptr) return block;
  auto* real = HEDDLE_REAL_UNDECLARED(NewFunction, "_Znwm");
  constexpr std::size_t kTooMuch = ~std::size_t{0} >> 1U;  // fails again, whatever is chosen
  return real != nullptr ? real(kTooMuch) : nullptr;
}

}  // namespace

#define HEDDLE_NEW(label, name, parameters, alignment)            \
  HEDDLE_INTERCEPT void* heddle_##name parameters __asm__(label); \
  void* heddle_##name parameters { return new_or_throw(size, alignment, HEDDLE_SITE); }
#define HEDDLE_NEW_NOTHROW(label, name, parameters, alignment)    \
  HEDDLE_INTERCEPT void* heddle_##name parameters __asm__(label); \
  void* heddle_##name parameters { return allocate(size, alignment, false, HEDDLE_SITE); }
#define HEDDLE_DELETE(label, name, parameters)                   \
  HEDDLE_INTERCEPT void heddle_##name parameters __asm__(label); \
  void heddle_##name parameters { deallocate(block, HEDDLE_SITE); }

HEDDLE_NEW("_Znwm", new_one, (std::size_t size), kAlignment)
HEDDLE_NEW("_Znam", new_array, (std::size_t size), kAlignment)
HEDDLE_NEW("_ZnwmSt11align_val_t", new_one_aligned, (std::size_t size, std::size_t alignment), alignment)
HEDDLE_NEW("_ZnamSt11align_val_t", new_array_aligned, (std::size_t size, std::size_t alignment), alignment)
HEDDLE_NEW_NOTHROW("_ZnwmRKSt9nothrow_t", new_one_nothrow, (std::size_t size, const void*), kAlignment)
HEDDLE_NEW_NOTHROW("_ZnamRKSt9nothrow_t", new_array_nothrow, (std::size_t size, const void*), kAlignment)
HEDDLE_NEW_NOTHROW("_ZnwmSt11align_val_tRKSt9nothrow_t", new_one_aligned_nothrow,
                   (std::size_t size, std::size_t alignment, const void*), alignment)
HEDDLE_NEW_NOTHROW("_ZnamSt11align_val_tRKSt9nothrow_t", new_array_aligned_nothrow,
                   (std::size_t size, std::size_t alignment, const void*), alignment)
HEDDLE_DELETE("_ZdlPv", delete_one, (void* block))
HEDDLE_DELETE("_ZdaPv", delete_array, (void* block))
HEDDLE_DELETE("_ZdlPvm", delete_one_sized, (void* block, std::size_t))
HEDDLE_DELETE("_ZdaPvm", delete_array_sized, (void* block, std::size_t))
HEDDLE_DELETE("_ZdlPvRKSt9nothrow_t", delete_one_nothrow, (void* block, const void*))
HEDDLE_DELETE("_ZdaPvRKSt9nothrow_t", delete_array_nothrow, (void* block, const void*))
HEDDLE_DELETE("_ZdlPvSt11align_val_t", delete_one_aligned, (void* block, std::size_t))
HEDDLE_DELETE("_ZdaPvSt11align_val_t", delete_array_aligned, (void* block, std::size_t))
HEDDLE_DELETE("_ZdlPvmSt11align_val_t", delete_one_sized_aligned, (void* block, std::size_t, std::size_t))
HEDDLE_DELETE("_ZdaPvmSt11align_val_t", delete_array_sized_aligned, (void* block, std::size_t, std::size_t))
HEDDLE_DELETE("_ZdlPvSt11align_val_tRKSt9nothrow_t", delete_one_aligned_nothrow,
              (void* block, std::size_t, const void*))
HEDDLE_DELETE("_ZdaPvSt11align_val_tRKSt9nothrow_t", delete_array_aligned_nothrow,
              (void* block, std::size_t, const void*))
