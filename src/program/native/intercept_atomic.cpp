// Atomic operations as compilers emit them under -fsanitize=thread, of 1 to 16 bytes and all orders, and the library
// calls they make for other sizes. Each is one visible operation; one OS thread runs everything, so that performing it
// is a plain access.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "program/native/accesses.hpp"
#include "program/native/await.hpp"
#include "program/native/entry_registers.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/sync_clocks.hpp"

namespace heddle::native {
namespace {

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
__extension__ using U128 = unsigned __int128;

// Outside control: the real thing. All of it by compare-and-swap, the one builtin that compilers expand for 16 bytes
// too.
template <typename T>
T really_modify(volatile T* address, T old, T (*change)(T, const void*), const void* argument) {
  for (;;) {
    const T found = __sync_val_compare_and_swap(address, old, change(old, argument));
    if (found == old) return old;
    old = found;
  }
}

template <typename T>
T really_load(const volatile T* address) {
  if constexpr (sizeof(T) <= 8) {
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  } else {
    return __sync_val_compare_and_swap(const_cast<volatile T*>(address), T{0}, T{0});
  }
}

template <typename T>
U64 folded(T value) {
  if constexpr (sizeof(T) <= 8) {
    return value;
  } else {
    return static_cast<U64>(value) ^ (static_cast<U64>(value >> 64U) * 0x9E3779B97F4A7C15U);
  }
}

// An operation that may write, just before it does.
inline void note_written(std::uint64_t address, std::uint32_t size, bool nothing_new) {
  if (nothing_new) {
    await_read(address, size);
  } else {
    await_atomic_write(address, size);
  }
}

// Announces an atomic access and, once it is its turn, checks it.
__attribute__((always_inline)) inline void start(OpKind kind, std::uint64_t address, std::uint32_t size, int order,
                                                 std::uint64_t site, std::uint64_t expected = 0) {
  reach({.kind = kind,
         .order = static_cast<std::uint8_t>(order & 7),
         .size = size,
         .object = address,
         .second = expected,
         .site = site});
  check_life(address, size, kind != OpKind::Load, site);
  rt.weak_orders |= (order & 7) != __ATOMIC_SEQ_CST;
}

// Inlined, as stores are: behind a switch to another stack the returns of all functions under way are mispredicted.
template <typename T>
__attribute__((always_inline)) inline T load(const volatile T* address, int order, std::uint64_t site) {
  if (!rt.inside) return really_load(address);
  start(OpKind::Load, word(address), sizeof(T), order, site);
  const T value = *address;
  await_read(word(address), sizeof(T));
  atomic_load_sync(*rt.current, word(address), sizeof(T), order & 7);
  race_check(word(address), sizeof(T), Access::AtomicRead, site);
  rt.event.value = rt.event.before = static_cast<U64>(value);
  return value;
}

template <typename T>
__attribute__((always_inline)) inline void store(volatile T* address, T value, int order, std::uint64_t site) {
  if (!rt.inside) {
    really_modify<T>(
        address, really_load(address), [](T, const void* to) { return *static_cast<const T*>(to); }, &value);
    return;
  }
  start(OpKind::Store, word(address), sizeof(T), order, site);
  rt.event.before = static_cast<U64>(*address);
  rt.event.idle = *address == value;
  note_written(word(address), sizeof(T), *address == value);
  *address = value;
  race_check(word(address), sizeof(T), Access::AtomicWrite, site);
  atomic_store_sync(*rt.current, word(address), sizeof(T), order & 7);
  rt.event.value = static_cast<U64>(value);
}

template <typename T, typename Change>
T modify(volatile T* address, T operand, int order, std::uint64_t site, Change change) {
  if (!rt.inside) {
    return really_modify<T>(
        address, really_load(address), [](T old, const void* how) { return (*static_cast<const Change*>(how))(old); },
        &change);
  }
  heddle_entry_registers.argument = folded(operand);
  start(OpKind::Rmw, word(address), sizeof(T), order, site);
  const T old = *address;
  const T now = change(old);
  note_written(word(address), sizeof(T), now == old);
  *address = now;
  rt.event.idle = now == old;
  atomic_load_sync(*rt.current, word(address), sizeof(T), order & 7);
  race_check(word(address), sizeof(T), Access::AtomicWrite, site);
  atomic_rmw_release(*rt.current, word(address), sizeof(T), order & 7);
  rt.event.value = rt.event.before = static_cast<U64>(old);
  return old;
}

// The checks of a compare-exchange that succeeded, and of one that did not.
template <typename T>
void exchanged_sync(volatile T* address, int order, std::uint64_t site) {
  atomic_load_sync(*rt.current, word(address), sizeof(T), order & 7);
  race_check(word(address), sizeof(T), Access::AtomicWrite, site);
  atomic_rmw_release(*rt.current, word(address), sizeof(T), order & 7);
}
template <typename T>
void failed_sync(volatile T* address, int order, std::uint64_t site) {
  rt.event.op.kind = OpKind::CasFail;
  atomic_load_sync(*rt.current, word(address), sizeof(T), order & 7);
  race_check(word(address), sizeof(T), Access::AtomicRead, site);
}

// Returns the value found; it was exchanged if that equals `expected`.
template <typename T>
T compare_exchange(volatile T* address, T expected, T desired, int order, int failure_order, std::uint64_t site) {
  if (!rt.inside) return __sync_val_compare_and_swap(address, expected, desired);
  heddle_entry_registers.argument = folded(expected) * 0x9E3779B97F4A7C15U + folded(desired);
  start(OpKind::Cas, word(address), sizeof(T), order, site, static_cast<U64>(expected));
  const T found = *address;
  note_written(word(address), sizeof(T), found != expected || found == desired);
  rt.event.value = rt.event.before = static_cast<U64>(found);
  if (found == expected) {
    *address = desired;
    exchanged_sync<T>(address, order, site);
  } else {
    failed_sync<T>(address, failure_order, site);
  }
  return found;
}

// What a compare-exchange that failed tells its caller.
template <typename T>
void store_found(T* expected, T found) {
  if (rt.inside) await_write(word(expected), sizeof(T));
  *expected = found;
}

// A weak compare-exchange may fail although it found what it expected: as often in an execution as was asked for.
// Failures are counted over all threads, so that one depends on everything.
template <typename T>
bool compare_exchange_weak(volatile T* address, T* expected, T desired, int order, int failure_order,
                           std::uint64_t site) {
  if (rt.inside && rt.settings.weak_cas_failures > 0) {
    start(OpKind::WeakCas, word(address), sizeof(T), order, site, static_cast<U64>(*expected));
    await_effect();  // whether it fails is a choice
    const T found = *address;
    rt.event.value = rt.event.before = static_cast<U64>(found);
    if (rt.current->outcome == kTimedOut) {
      ++change_process_objects().weak_cas_failures;
      rt.event.total = true;
    } else if (found == *expected) {
      rt.event.op.kind = OpKind::Cas;
      *address = desired;
      exchanged_sync<T>(address, order, site);
      return true;
    }
    failed_sync<T>(address, failure_order, site);
    store_found(expected, found);
    return false;
  }
  const T found = compare_exchange<T>(address, *expected, desired, order, failure_order, site);
  const bool exchanged = found == *expected;
  if (!exchanged) store_found(expected, found);
  return exchanged;
}

}  // namespace
}  // namespace heddle::native

using namespace heddle;          // NOLINT: this file is nothing but definitions in the compilers' own namespace
using namespace heddle::native;  // NOLINT

#define HEDDLE_MODIFY(bits, T, name, expression)                                                             \
  HEDDLE_ENTRY(T, __tsan_atomic##bits##_##name, (volatile T * address, T value, int order)) {                \
    return modify<T>(address, value, order, HEDDLE_SITE, [&](T old) { return static_cast<T>(expression); }); \
  }

#define HEDDLE_ATOMICS(bits, T)                                                                       \
  HEDDLE_ENTRY(T, __tsan_atomic##bits##_load, (const volatile T* address, int order)) {               \
    return load<T>(address, order, HEDDLE_SITE);                                                      \
  }                                                                                                   \
  HEDDLE_INTERCEPT void __tsan_atomic##bits##_store(volatile T* address, T value, int order) {        \
    store<T>(address, value, order, HEDDLE_SITE);                                                     \
  }                                                                                                   \
  HEDDLE_ENTRY(T, __tsan_atomic##bits##_exchange, (volatile T * address, T value, int order)) {       \
    return modify<T>(address, value, order, HEDDLE_SITE, [&](T) { return value; });                   \
  }                                                                                                   \
  HEDDLE_MODIFY(bits, T, fetch_add, old + value)                                                      \
  HEDDLE_MODIFY(bits, T, fetch_sub, old - value)                                                      \
  HEDDLE_MODIFY(bits, T, fetch_and, old& value)                                                       \
  HEDDLE_MODIFY(bits, T, fetch_or, old | value)                                                       \
  HEDDLE_MODIFY(bits, T, fetch_xor, old ^ value)                                                      \
  HEDDLE_MODIFY(bits, T, fetch_nand, ~(old & value))                                                  \
  HEDDLE_ENTRY(int, __tsan_atomic##bits##_compare_exchange_strong,                                    \
               (volatile T * address, T * expected, T desired, int order, int failure)) {             \
    const T found = compare_exchange<T>(address, *expected, desired, order, failure, HEDDLE_SITE);    \
    const bool exchanged = found == *expected;                                                        \
    if (!exchanged) store_found(expected, found);                                                     \
    return exchanged ? 1 : 0;                                                                         \
  }                                                                                                   \
  HEDDLE_ENTRY(int, __tsan_atomic##bits##_compare_exchange_weak,                                      \
               (volatile T * address, T * expected, T desired, int order, int failure)) {             \
    return compare_exchange_weak<T>(address, expected, desired, order, failure, HEDDLE_SITE) ? 1 : 0; \
  }                                                                                                   \
  HEDDLE_ENTRY(T, __tsan_atomic##bits##_compare_exchange_val,                                         \
               (volatile T * address, T expected, T desired, int order, int failure)) {               \
    return compare_exchange<T>(address, expected, desired, order, failure, HEDDLE_SITE);              \
  }

HEDDLE_ATOMICS(8, U8)
HEDDLE_ATOMICS(16, U16)
HEDDLE_ATOMICS(32, U32)
HEDDLE_ATOMICS(64, U64)
HEDDLE_ATOMICS(128, U128)

// A fence is no event under sequential consistency; it feeds the race check.
HEDDLE_INTERCEPT void __tsan_atomic_thread_fence(int order) {
  if (rt.inside) atomic_fence_sync(*rt.current, order & 7);
}
HEDDLE_INTERCEPT void __tsan_atomic_signal_fence(int /*order*/) {}

// Sizes without an instruction. Compilers refuse functions of these names, hence the labels.
HEDDLE_INTERCEPT void heddle_atomic_load(std::size_t size, void* from, void* to, int order) __asm__("__atomic_load");
HEDDLE_INTERCEPT void heddle_atomic_store(std::size_t size, void* to, void* from, int order) __asm__("__atomic_store");
HEDDLE_INTERCEPT void heddle_atomic_exchange(std::size_t size, void* object, void* value, void* result,
                                             int order) __asm__("__atomic_exchange");
HEDDLE_INTERCEPT bool heddle_atomic_compare_exchange(std::size_t size, void* object, void* expected, void* desired,
                                                     int order, int failure) __asm__("__atomic_compare_exchange");

namespace {

void start_sized(OpKind kind, void* address, std::size_t size, int order, std::uint64_t site,
                 std::uint64_t expected = 0) {
  if (!rt.inside) return;
  start(kind, word(address), static_cast<std::uint32_t>(size), order, site, expected);
  keep_value_before(word(address), size);
}

enum class SizedAccess : std::uint8_t { Load, Store, Modify };

void finish_sized(SizedAccess access, void* address, std::size_t bytes, int order, std::uint64_t site) {
  if (!rt.inside) return;
  Fibre& fibre = *rt.current;
  const auto size = static_cast<std::uint32_t>(bytes);
  if (access != SizedAccess::Store) atomic_load_sync(fibre, word(address), size, order & 7);
  race_check(word(address), size, access == SizedAccess::Load ? Access::AtomicRead : Access::AtomicWrite, site);
  if (access == SizedAccess::Store) atomic_store_sync(fibre, word(address), size, order & 7);
  if (access == SizedAccess::Modify) atomic_rmw_release(fibre, word(address), size, order & 7);
}

}  // namespace

void heddle_atomic_load(std::size_t size, void* from, void* to, int order) {
  start_sized(OpKind::Load, from, size, order, HEDDLE_SITE);
  std::memcpy(to, from, size);
  finish_sized(SizedAccess::Load, from, size, order, HEDDLE_SITE);
}

void heddle_atomic_store(std::size_t size, void* to, void* from, int order) {
  start_sized(OpKind::Store, to, size, order, HEDDLE_SITE);
  std::memcpy(to, from, size);
  finish_sized(SizedAccess::Store, to, size, order, HEDDLE_SITE);
}

void heddle_atomic_exchange(std::size_t size, void* object, void* value, void* result, int order) {
  start_sized(OpKind::Rmw, object, size, order, HEDDLE_SITE);
  std::memcpy(result, object, size);
  std::memcpy(object, value, size);
  finish_sized(SizedAccess::Modify, object, size, order, HEDDLE_SITE);
}

bool heddle_atomic_compare_exchange(std::size_t size, void* object, void* expected, void* desired, int order,
                                    int failure) {
  std::uint64_t value = 0;
  std::memcpy(&value, expected, size < sizeof value ? size : sizeof value);
  start_sized(OpKind::Cas, object, size, order, HEDDLE_SITE, value);
  const bool equal = std::memcmp(object, expected, size) == 0;
  if (equal) {
    std::memcpy(object, desired, size);
  } else {
    std::memcpy(expected, object, size);
    if (rt.inside) rt.event.op.kind = OpKind::CasFail;
  }
  finish_sized(equal ? SizedAccess::Modify : SizedAccess::Load, object, size, equal ? order : failure, HEDDLE_SITE);
  return equal;
}

#define HEDDLE_LIBATOMIC(bytes, bits, T)                                                                    \
  HEDDLE_ENTRY(T, __atomic_load_##bytes, (const volatile T* address, int order)) {                          \
    return load<T>(address, order, HEDDLE_SITE);                                                            \
  }                                                                                                         \
  HEDDLE_INTERCEPT void heddle_atomic_store_##bytes(volatile T*, T, int) __asm__("__atomic_store_" #bytes); \
  void heddle_atomic_store_##bytes(volatile T* address, T value, int order) {                               \
    store<T>(address, value, order, HEDDLE_SITE);                                                           \
  }                                                                                                         \
  HEDDLE_ENTRY(T, __atomic_exchange_##bytes, (volatile T * address, T value, int order)) {                  \
    return modify<T>(address, value, order, HEDDLE_SITE, [&](T) { return value; });                         \
  }                                                                                                         \
  HEDDLE_ENTRY(bool, __atomic_compare_exchange_##bytes,                                                     \
               (volatile T * address, T * expected, T desired, int order, int failure)) {                   \
    const T found = compare_exchange<T>(address, *expected, desired, order, failure, HEDDLE_SITE);          \
    const bool exchanged = found == *expected;                                                              \
    if (!exchanged) store_found(expected, found);                                                           \
    return exchanged;                                                                                       \
  }

HEDDLE_LIBATOMIC(1, 8, U8)
HEDDLE_LIBATOMIC(2, 16, U16)
HEDDLE_LIBATOMIC(4, 32, U32)
HEDDLE_LIBATOMIC(8, 64, U64)
HEDDLE_LIBATOMIC(16, 128, U128)
