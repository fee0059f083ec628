// What libc++ keeps in its shared library and not in its headers: waiting on atomics, call_once, and the counts of
// weak pointers. That library is not instrumented, so that its atomic operations would be neither scheduling points nor
// known to the race check. The functions it exports for them are taken over here, with the operations that their code
// would announce if it were instrumented.
//
// (The tree barrier of std::barrier lives there too; `heddle c++` asks for the other one, which is all in the header.)
#include <linux/futex.h>

#include <array>
#include <climits>
#include <cstdint>

#include "program/native/accesses.hpp"
#include "program/native/futex.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/sync_objects.hpp"

namespace heddle::native {
namespace {

std::uint32_t& count_of(std::uint64_t address) {
  const std::uint64_t hash = address * 0x9E3779B97F4A7C15U;
  auto& counts = process_objects.libcxx_waits.counts;
  return counts[static_cast<std::size_t>(hash >> 32U) % counts.size()];
}

void count_notification(std::uint64_t address, std::uint64_t site) {
  std::uint32_t& count = count_of(address);
  reach({.kind = OpKind::Rmw, .size = sizeof count, .object = word(&count), .site = site});
  rt.event.value = rt.event.before = count;
  ++count;
  process_objects.used = true;
  futex(word(&count), FUTEX_WAKE, INT_MAX, nullptr, 0, 0, site);
}

// The counts of a shared_ptr's control block, behind its virtual table: owners, and weak owners, each less one.
struct ControlBlock {
  void (*const* table)(ControlBlock*);
  std::int64_t owners;
  std::int64_t weak_owners;

  // The last of its virtual functions: nobody needs the block any more.
  void on_zero_weak() { table[4](this); }
};

void start(OpKind kind, std::int64_t& count, int order, std::uint64_t site, std::int64_t expected = 0) {
  reach({.kind = kind,
         .order = static_cast<std::uint8_t>(order),
         .size = sizeof count,
         .object = word(&count),
         .second = static_cast<std::uint64_t>(expected),
         .site = site});
  check_life(word(&count), sizeof count, kind != OpKind::Load, site);
  rt.event.value = rt.event.before = static_cast<std::uint64_t>(count);
}

std::int64_t load(std::int64_t& count, int order, std::uint64_t site) {
  start(OpKind::Load, count, order, site);
  atomic_load_sync(*rt.current, word(&count), sizeof count, order);
  race_check(word(&count), sizeof count, Access::AtomicRead, site);
  return count;
}

// The half of a read-modify-write behind its check.
void change(std::int64_t& count, std::int64_t by, int order, std::uint64_t site) {
  atomic_load_sync(*rt.current, word(&count), sizeof count, order);
  race_check(word(&count), sizeof count, Access::AtomicWrite, site);
  atomic_rmw_release(*rt.current, word(&count), sizeof count, order);
  count += by;
}

}  // namespace
}  // namespace heddle::native

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc++'s own namespace
using namespace heddle::native;  // NOLINT

#define HEDDLE_LIBCXX(result, name, parameters, label)                               \
  HEDDLE_INTERCEPT result heddle_libcxx_##name parameters __asm__(label);            \
  namespace {                                                                        \
  using Real_##name = result(*) parameters;                                          \
  Real_##name really_##name() { return HEDDLE_REAL_UNDECLARED(Real_##name, label); } \
  }                                                                                  \
  result heddle_libcxx_##name parameters

// Atomics of 32 bits are waited for on themselves.
#define HEDDLE_OF_INT "PVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE"

HEDDLE_LIBCXX(std::int32_t, monitor_int, (const volatile std::int32_t* atomic),
              "_ZNSt3__123__libcpp_atomic_monitorE" HEDDLE_OF_INT) {
  if (!rt.inside) return really_monitor_int()(atomic);
  return *atomic;  // unused: the header has looked itself
}
HEDDLE_LIBCXX(void, wait_int, (const volatile std::int32_t* atomic, std::int32_t value),
              "_ZNSt3__120__libcpp_atomic_waitE" HEDDLE_OF_INT "i") {
  if (!rt.inside) return really_wait_int()(atomic, value);
  futex(word(atomic), FUTEX_WAIT, static_cast<std::uint32_t>(value), nullptr, 0, 0, HEDDLE_SITE);
}
HEDDLE_LIBCXX(void, notify_one_int, (const volatile std::int32_t* atomic),
              "_ZNSt3__123__cxx_atomic_notify_oneE" HEDDLE_OF_INT) {
  if (!rt.inside) return really_notify_one_int()(atomic);
  futex(word(atomic), FUTEX_WAKE, 1, nullptr, 0, 0, HEDDLE_SITE);
}
HEDDLE_LIBCXX(void, notify_all_int, (const volatile std::int32_t* atomic),
              "_ZNSt3__123__cxx_atomic_notify_allE" HEDDLE_OF_INT) {
  if (!rt.inside) return really_notify_all_int()(atomic);
  futex(word(atomic), FUTEX_WAKE, INT_MAX, nullptr, 0, 0, HEDDLE_SITE);
}

// All others on a count of notifications, which several may share; every notification then wakes all.
HEDDLE_LIBCXX(std::int32_t, monitor, (const volatile void* atomic), "_ZNSt3__123__libcpp_atomic_monitorEPVKv") {
  if (!rt.inside) return really_monitor()(atomic);
  const std::uint32_t& count = count_of(word(atomic));
  reach({.kind = OpKind::Load, .size = sizeof count, .object = word(&count), .site = HEDDLE_SITE});
  rt.event.value = rt.event.before = count;
  return static_cast<std::int32_t>(count);
}
HEDDLE_LIBCXX(void, wait, (const volatile void* atomic, std::int32_t seen), "_ZNSt3__120__libcpp_atomic_waitEPVKvi") {
  if (!rt.inside) return really_wait()(atomic, seen);
  futex(word(&count_of(word(atomic))), FUTEX_WAIT, static_cast<std::uint32_t>(seen), nullptr, 0, 0, HEDDLE_SITE);
}
HEDDLE_LIBCXX(void, notify_one, (const volatile void* atomic), "_ZNSt3__123__cxx_atomic_notify_oneEPVKv") {
  if (!rt.inside) return really_notify_one()(atomic);
  count_notification(word(atomic), HEDDLE_SITE);
}
HEDDLE_LIBCXX(void, notify_all, (const volatile void* atomic), "_ZNSt3__123__cxx_atomic_notify_allEPVKv") {
  if (!rt.inside) return really_notify_all()(atomic);
  count_notification(word(atomic), HEDDLE_SITE);
}

// The flag of a call_once: 0 fresh, all ones done. The header has looked whether it is done, as memory.
namespace {

constexpr std::uint64_t kOnceDone = ~std::uint64_t{0};

class OnceScope {
 public:
  OnceScope(volatile std::uint64_t& flag, std::uint64_t site) : flag_(flag), site_(site) {}
  ~OnceScope() {
    end(0);
    clear_before_call();  // the unwinder goes on
  }
  void done() { end(kOnceDone); }
  OnceScope(const OnceScope&) = delete;
  OnceScope& operator=(const OnceScope&) = delete;

 private:
  void end(std::uint64_t state) {
    if (ended_) return;
    ended_ = true;
    const std::uint64_t object = word(&flag_);
    reach({.kind = OpKind::OnceEnd, .size = kLibcxxOnceSize, .object = object, .second = object, .site = site_});
    race_check(object, sizeof flag_, Access::AtomicWrite, site_);
    release(*rt.current, object);
    flag_ = state;
  }
  volatile std::uint64_t& flag_;
  std::uint64_t site_;
  bool ended_ = false;
};

}  // namespace

HEDDLE_LIBCXX(void, call_once, (volatile std::uint64_t * flag, void* argument, void (*function)(void*)),
              "_ZNSt3__111__call_onceERVmPvPFvS2_E") {
  if (!rt.inside) return really_call_once()(flag, argument, function);
  const std::uint64_t site = HEDDLE_SITE;
  touch_object(word(flag));
  reach({.kind = OpKind::OnceBegin, .size = kLibcxxOnceSize, .object = word(flag), .site = site});
  acquire(*rt.current, word(flag));
  if (*flag == kOnceDone) {
    rt.event.op.kind = OpKind::OnceSeen;
    return;
  }
  *flag = kLibcxxOnceRunning;
  OnceScope scope(*flag, site);
  clear_before_call();
  function(argument);
  scope.done();
}

HEDDLE_LIBCXX(void, release_weak, (ControlBlock * block), "_ZNSt3__119__shared_weak_count14__release_weakEv") {
  if (!rt.inside) return really_release_weak()(block);
  const std::uint64_t site = HEDDLE_SITE;
  // Without other weak owners there is nobody to count with.
  bool last = load(block->weak_owners, __ATOMIC_ACQUIRE, site) == 0;
  if (!last) {
    start(OpKind::Rmw, block->weak_owners, __ATOMIC_ACQ_REL, site);
    last = block->weak_owners == 0;
    change(block->weak_owners, -1, __ATOMIC_ACQ_REL, site);
  }
  if (last) block->on_zero_weak();
}

HEDDLE_LIBCXX(ControlBlock*, lock, (ControlBlock * block), "_ZNSt3__119__shared_weak_count4lockEv") {
  if (!rt.inside) return really_lock()(block);
  const std::uint64_t site = HEDDLE_SITE;
  for (std::int64_t seen = load(block->owners, __ATOMIC_SEQ_CST, site); seen != -1;) {
    start(OpKind::Cas, block->owners, __ATOMIC_SEQ_CST, site, seen);
    if (block->owners == seen) {
      change(block->owners, 1, __ATOMIC_SEQ_CST, site);
      return block;
    }
    rt.event.op.kind = OpKind::CasFail;
    atomic_load_sync(*rt.current, word(&block->owners), sizeof block->owners, __ATOMIC_SEQ_CST);
    race_check(word(&block->owners), sizeof block->owners, Access::AtomicRead, site);
    seen = block->owners;
  }
  return nullptr;
}
