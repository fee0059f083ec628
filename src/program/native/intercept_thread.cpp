// pthread_create and everything about threads as such.
#include <pthread.h>
#include <sched.h>

#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <string>

#include "program/native/accesses.hpp"
#include "program/native/cancellation.hpp"
#include "program/native/context_switch.hpp"
#include "program/native/entry_registers.hpp"
#include "program/native/keys.hpp"
#include "program/native/locks.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/scheduler.hpp"
#include "program/native/signal_calls.hpp"
#include "program/native/start.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/thread_handles.hpp"
#include "program/native/thread_unwind.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

namespace {

// Whether nobody looks at plain accesses but to find races.
bool may_go_unwatched() {
  return !rt.recording && !rt.settings.visible_all && heddle_entry_wanted == 0 && heddle_clear_plain == 0;
}

// Waits for another thread's end. Most joins come one behind the other at the end of an execution, where there is
// nothing to wait for and nobody else to run.
Outcome reach_join(const Fibre& fibre, const Fibre& other, std::uint64_t site, std::uint32_t size) {
  if (rt.joining == &fibre && size != kAttempt && rt.dispatcher->joins_on(other, site)) return kUsual;
  return reach({.kind = OpKind::ThreadJoin, .size = size, .second = other.id.value, .site = site});
}

// The current thread's deadline has been set, if there is one. `size`: kAttempt if it does not wait.
int join(pthread_t handle, void** result, std::uint64_t site, std::uint32_t size = 0) {
  Fibre& fibre = *rt.current;
  Fibre* other = thread_of(handle);
  if (other == nullptr) misuse("join of something that is not a thread", site);
  if (other == &fibre) misuse("the thread joins itself", site);
  const Outcome outcome = reach_join(fibre, *other, site, size);
  // An attempt does not wait, and is no place to be cancelled at.
  if (outcome == kTimedOut && size != kAttempt) act_if_cancelled();
  if (other->joined || other->detached) {
    rt.event.total = true;  // the thread may go on behind it, as behind no other join
    misuse(other->joined ? "a thread is joined twice" : "join of a detached thread", site);
  }
  if (outcome == kTimedOut) {
    // While the thread has not ended an attempt has no choice, and uses up none.
    const ThreadPhase& phase = state_of(other->id).phase;
    if (size != kAttempt || phase == ThreadPhase::Finished) {
      reach_deadline(fibre);
    } else {
      await_read(word(&phase), sizeof phase);
    }
    return ETIMEDOUT;
  }
  other->joined = true;
  acquire_thread(fibre, *other);
  rt.unwatched = may_go_unwatched() && is_last_and_knows_all(fibre);
  if (result != nullptr) {
    plain_access(word(result), sizeof *result, true, site);
    *result = other->result;
  }
  return 0;
}

int timed_join(pthread_t handle, void** result, clockid_t clock, const timespec* until, std::uint64_t site) {
  set_deadline(*rt.current, clock, until);
  return join(handle, result, site);
}

}  // namespace

HEDDLE_INTERCEPT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                                    void* argument) noexcept {
  if (!rt.inside) {
    if (booting()) refuse_thread_before_main();
    return HEDDLE_REAL(pthread_create)(handle, attributes, start, argument);
  }
  const std::uint64_t site = HEDDLE_SITE;
  Fibre& fibre = *rt.current;
  const ThreadId child_id = next_child(fibre);
  reach({.kind = OpKind::ThreadCreate, .second = child_id.value, .site = site});
  Fibre& child = start_fibre(&fibre, start, argument, site);
  if (attributes != nullptr) {
    int detached = PTHREAD_CREATE_JOINABLE;
    pthread_attr_getdetachstate(attributes, &detached);
    child.detached = detached == PTHREAD_CREATE_DETACHED;
    std::size_t size = 0;
    if (pthread_attr_getstacksize(attributes, &size) == 0) give_stack(child, size);
  }
  // Where this store is a step of its own it comes last: a thread that has been created and has not begun is no state
  // that could be kept.
  const auto store_handle = [&] {
    plain_access(word(handle), sizeof *handle, true, site);
    *handle = handle_of(child);
  };
  if (!rt.settings.visible_all) store_handle();
  signals_inherit(fibre, child);
  if (sigset_t blocked; attributes != nullptr && pthread_attr_getsigmask_np(attributes, &blocked) == 0) {
    signals_block(child, blocked);
  }
  run_to_first_operation(child);
  if (rt.settings.visible_all) store_handle();
  return 0;
}

HEDDLE_INTERCEPT int pthread_join(pthread_t handle, void** result) {
  if (!rt.inside) return HEDDLE_REAL(pthread_join)(handle, result);
  return join(handle, result, HEDDLE_SITE);
}
HEDDLE_INTERCEPT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* until) {
  if (!rt.inside) return HEDDLE_REAL(pthread_timedjoin_np)(handle, result, until);
  return timed_join(handle, result, CLOCK_REALTIME, until, HEDDLE_SITE);
}
HEDDLE_INTERCEPT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock, const timespec* until) {
  if (!rt.inside) return HEDDLE_REAL(pthread_clockjoin_np)(handle, result, clock, until);
  return timed_join(handle, result, clock, until, HEDDLE_SITE);
}

// An attempt that comes too early is one that times out at once.
HEDDLE_ENTRY(int, pthread_tryjoin_np, (pthread_t handle, void** result) noexcept) {
  if (!rt.inside) return HEDDLE_REAL(pthread_tryjoin_np)(handle, result);
  Fibre& fibre = *rt.current;
  fibre.timed = true;
  fibre.deadline = fibre.time;
  return join(handle, result, HEDDLE_SITE, kAttempt) == ETIMEDOUT ? EBUSY : 0;
}

HEDDLE_INTERCEPT int pthread_detach(pthread_t handle) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_detach)(handle);
  const std::uint64_t site = HEDDLE_SITE;
  Fibre* other = thread_of(handle);
  if (other == nullptr) misuse("detach of something that is not a thread", site);
  reach({.kind = OpKind::ThreadDetach, .second = other->id.value, .site = site});
  if (other->detached) misuse("a thread is detached twice", site);
  if (other->joined) misuse("a thread is detached after it was joined", site);
  other->detached = true;
  joins_at_once(other->id);
  return 0;
}

HEDDLE_INTERCEPT void pthread_exit(void* result) {
  if (!rt.inside) HEDDLE_REAL(pthread_exit)(result);
  rt.current->result = result;
  unwind_thread();
}

HEDDLE_INTERCEPT pthread_t pthread_self() noexcept {
  return rt.inside ? handle_of(*rt.current) : HEDDLE_REAL(pthread_self)();
}

HEDDLE_INTERCEPT int pthread_equal(pthread_t a, pthread_t b) noexcept { return a == b ? 1 : 0; }

HEDDLE_INTERCEPT int pthread_kill(pthread_t handle, int signal) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_kill)(handle, signal);
  const std::uint64_t site = HEDDLE_SITE;
  Fibre* other = thread_of(handle);
  if (other == nullptr) misuse("a signal is sent to something that is not a thread", site);
  if (signal < 0 || signal > 64) return EINVAL;
  return signal == 0 && other == rt.current ? 0 : signal_thread(*other, signal, site);
}

HEDDLE_INTERCEPT int raise(int signal) noexcept {
  if (!rt.inside) return HEDDLE_REAL(raise)(signal);
  if (signal <= 0 || signal > 64) {
    errno = EINVAL;
    return -1;
  }
  return signal_thread(*rt.current, signal, HEDDLE_SITE);
}

HEDDLE_INTERCEPT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_getattr_np)(handle, attributes);
  const Fibre* other = thread_of(handle);
  if (other == nullptr) return ESRCH;
  std::memset(attributes, 0, sizeof *attributes);
  pthread_attr_init(attributes);
  pthread_attr_setstack(attributes, reinterpret_cast<void*>(other->stack_low), other->stack_high - other->stack_low);
  pthread_attr_setdetachstate(attributes, other->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  return 0;
}

// Names, priorities and processors of threads have no influence on which interleavings there are.
HEDDLE_INTERCEPT int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_setname_np)(handle, name);
  return std::strlen(name) < 16 ? 0 : ERANGE;
}
HEDDLE_INTERCEPT int pthread_getname_np(pthread_t handle, char* name, std::size_t size) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_getname_np)(handle, name, size);
  if (size < 16) return ERANGE;
  std::strcpy(name, "thread");
  return 0;
}
HEDDLE_INTERCEPT int pthread_setaffinity_np(pthread_t handle, std::size_t size, const cpu_set_t* set) noexcept {
  return rt.inside ? 0 : HEDDLE_REAL(pthread_setaffinity_np)(handle, size, set);
}
HEDDLE_INTERCEPT int pthread_getaffinity_np(pthread_t handle, std::size_t size, cpu_set_t* set) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_getaffinity_np)(handle, size, set);
  std::memset(set, 0, size);
  CPU_SET_S(0, size, set);
  return 0;
}
HEDDLE_INTERCEPT int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameter) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_getschedparam)(handle, policy, parameter);
  *policy = SCHED_OTHER;
  parameter->sched_priority = 0;
  return 0;
}
HEDDLE_INTERCEPT int pthread_setschedprio(pthread_t handle, int priority) noexcept {
  return rt.inside ? 0 : HEDDLE_REAL(pthread_setschedprio)(handle, priority);
}
HEDDLE_INTERCEPT int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_getcpuclockid)(handle, clock);
  if (thread_of(handle) == nullptr) return ESRCH;
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}
HEDDLE_INTERCEPT int pthread_sigqueue(pthread_t handle, int signal, const sigval value) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_sigqueue)(handle, signal, value);
  refuse(Refusal::Unsupported, "the program calls pthread_sigqueue: signals with a value are not modelled");
}
HEDDLE_INTERCEPT int pthread_setschedparam(pthread_t handle, int policy, const sched_param* parameter) noexcept {
  return rt.inside ? 0 : HEDDLE_REAL(pthread_setschedparam)(handle, policy, parameter);
}

HEDDLE_INTERCEPT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  if (!rt.inside && !booting()) return HEDDLE_REAL(pthread_key_create)(key, destructor);
  return key_create(key, destructor);
}
HEDDLE_INTERCEPT int pthread_key_delete(pthread_key_t key) noexcept {
  if (!rt.inside && !booting()) return HEDDLE_REAL(pthread_key_delete)(key);
  return key_delete(key);
}
HEDDLE_INTERCEPT void* pthread_getspecific(pthread_key_t key) noexcept {
  if (rt.inside) return key_get(*rt.current, key);
  return booting() ? key_get(main_before_main(), key) : HEDDLE_REAL(pthread_getspecific)(key);
}
HEDDLE_INTERCEPT int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (rt.inside) return key_set(*rt.current, key, value);
  return booting() ? key_set(main_before_main(), key, value) : HEDDLE_REAL(pthread_setspecific)(key, value);
}

using ThreadAtExit = int (*)(void (*)(void*), void*, void*);

HEDDLE_INTERCEPT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* library) {
  await_effect();
  if (rt.inside) {
    OutsideProgram outside;
    rt.current->tls_destructors.push_back({function, object});
    return 0;
  }
  return HEDDLE_REAL_UNDECLARED(ThreadAtExit, "__cxa_thread_atexit_impl")(function, object, library);
}
