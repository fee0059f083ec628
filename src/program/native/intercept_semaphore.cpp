// Semaphores (named ones are found in intercept_sem_open.cpp), barriers, pthread_once and the guards of static locals.
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <climits>

#include "program/native/accesses.hpp"
#include "program/native/await.hpp"
#include "program/native/cancellation.hpp"
#include "program/native/entry_registers.hpp"
#include "program/native/locks.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/system_library.hpp"
#include "program/native/thread_handles.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

namespace {

Semaphore& model_of_semaphore(sem_t* semaphore) { return *reinterpret_cast<Semaphore*>(semaphore); }
Barrier& model_of_barrier(pthread_barrier_t* barrier) { return *reinterpret_cast<Barrier*>(barrier); }

int failed(int error) {
  errno = error;
  return -1;
}

void check_usable(sem_t* semaphore, std::uint64_t site) {
  touch_object(word(semaphore));
  if (model_of_semaphore(semaphore).destroyed != 0) misuse("use of a semaphore that has been destroyed", site);
}

bool is_waited_for(sem_t* semaphore) {
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const ThreadState& state = (*rt.states)[i];
    if (state.phase != ThreadPhase::Pending || rt.fibres[i] == rt.current) continue;
    if (state.pending.kind == OpKind::SemWait && state.pending.object == word(semaphore)) return true;
  }
  return false;
}

int wait(sem_t* semaphore, clockid_t clock, const timespec* until, std::uint64_t site) {
  Fibre& fibre = *rt.current;
  check_usable(semaphore, site);
  if (until != nullptr && (until->tv_nsec < 0 || until->tv_nsec >= 1'000'000'000)) return failed(EINVAL);
  set_deadline(fibre, clock, until);
  const Outcome outcome = reach({.kind = OpKind::SemWait, .size = 1, .object = word(semaphore), .site = site});
  rt.event.before = model_of_semaphore(semaphore).value;
  object_access(word(semaphore), sizeof *semaphore, site);
  check_usable(semaphore, site);
  if (outcome == kTimedOut) {
    act_if_cancelled();
    rt.event.op.kind = OpKind::SemWaitFail;
    reach_deadline(fibre);
    return failed(ETIMEDOUT);
  }
  --model_of_semaphore(semaphore).value;
  acquire(fibre, word(semaphore));
  return 0;
}

}  // namespace

HEDDLE_INTERCEPT int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (!rt.inside) return HEDDLE_REAL(sem_init)(semaphore, shared, value);
  if (value > SEM_VALUE_MAX) return failed(EINVAL);
  lifetime_access(word(semaphore), sizeof *semaphore, HEDDLE_SITE);
  sync_clocks_forget(word(semaphore), sizeof *semaphore);
  __builtin_memset(semaphore, 0, sizeof *semaphore);
  model_of_semaphore(semaphore).value = value;
  return 0;
}
HEDDLE_INTERCEPT int sem_destroy(sem_t* semaphore) noexcept {
  if (!rt.inside) return HEDDLE_REAL(sem_destroy)(semaphore);
  check_usable(semaphore, HEDDLE_SITE);
  lifetime_access(word(semaphore), sizeof *semaphore, HEDDLE_SITE);
  if (is_waited_for(semaphore) && model_of_semaphore(semaphore).value == 0) {
    rt.event.total = true;  // whoever waits has performed nothing yet
    misuse("a semaphore is destroyed while a thread waits for it", HEDDLE_SITE);
  }
  model_of_semaphore(semaphore).destroyed = 1;
  return 0;
}
HEDDLE_INTERCEPT int sem_wait(sem_t* semaphore) {
  return rt.inside ? wait(semaphore, CLOCK_REALTIME, nullptr, HEDDLE_SITE) : HEDDLE_REAL(sem_wait)(semaphore);
}
HEDDLE_INTERCEPT int sem_timedwait(sem_t* semaphore, const timespec* until) {
  return rt.inside ? wait(semaphore, CLOCK_REALTIME, until, HEDDLE_SITE) : HEDDLE_REAL(sem_timedwait)(semaphore, until);
}
HEDDLE_INTERCEPT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  return rt.inside ? wait(semaphore, clock, until, HEDDLE_SITE) : HEDDLE_REAL(sem_clockwait)(semaphore, clock, until);
}
HEDDLE_ENTRY(int, sem_trywait, (sem_t * semaphore) noexcept) {
  if (!rt.inside) return HEDDLE_REAL(sem_trywait)(semaphore);
  check_usable(semaphore, HEDDLE_SITE);
  reach({.kind = OpKind::SemTryWait, .size = 1, .object = word(semaphore), .site = HEDDLE_SITE});
  rt.event.before = model_of_semaphore(semaphore).value;
  object_access(word(semaphore), sizeof *semaphore, HEDDLE_SITE);
  Semaphore& model = model_of_semaphore(semaphore);
  if (model.value == 0) {
    rt.event.op.kind = OpKind::SemWaitFail;
    await_read(word(&model.value), sizeof model.value);
    return failed(EAGAIN);
  }
  --model.value;
  acquire(*rt.current, word(semaphore));
  return 0;
}
HEDDLE_INTERCEPT int sem_post(sem_t* semaphore) noexcept {
  if (!rt.inside) return HEDDLE_REAL(sem_post)(semaphore);
  check_usable(semaphore, HEDDLE_SITE);
  reach({.kind = OpKind::SemPost, .size = 1, .object = word(semaphore), .site = HEDDLE_SITE});
  rt.event.before = model_of_semaphore(semaphore).value;
  object_access(word(semaphore), sizeof *semaphore, HEDDLE_SITE);
  Semaphore& model = model_of_semaphore(semaphore);
  if (model.value == SEM_VALUE_MAX) return failed(EOVERFLOW);
  ++model.value;
  release_more(*rt.current, word(semaphore));
  return 0;
}
HEDDLE_INTERCEPT int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  if (!rt.inside) return HEDDLE_REAL(sem_getvalue)(semaphore, value);
  reach({.kind = OpKind::SemRead, .size = 1, .object = word(semaphore), .site = HEDDLE_SITE});
  rt.event.before = model_of_semaphore(semaphore).value;
  object_access(word(semaphore), sizeof *semaphore, HEDDLE_SITE);
  *value = static_cast<int>(model_of_semaphore(semaphore).value);
  return 0;
}

HEDDLE_INTERCEPT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                          unsigned parties) noexcept {
  if (!rt.inside && !booting()) return HEDDLE_REAL(pthread_barrier_init)(barrier, attributes, parties);
  if (parties == 0) return EINVAL;
  if (rt.inside) {
    lifetime_access(word(barrier), sizeof *barrier, HEDDLE_SITE);
    sync_clocks_forget(word(barrier), sizeof *barrier);
  }
  model_of_barrier(barrier) = {.parties = parties, .arrived = 0, .generation = 1};
  return 0;
}
HEDDLE_INTERCEPT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_barrier_destroy)(barrier);
  lifetime_access(word(barrier), sizeof *barrier, HEDDLE_SITE);
  if (model_of_barrier(barrier).arrived != 0) misuse("a barrier is destroyed while threads wait at it", HEDDLE_SITE);
  model_of_barrier(barrier).generation = 0;
  return 0;
}
namespace {

// Where states are compared, a count of rounds would make each of them new: the lowest number will do that no thread
// still has to leave with.
std::uint64_t next_generation(const Barrier& model, std::uint64_t object) {
  if (!rt.settings.stateful) return model.generation + 1;
  const auto in_use = [&](std::uint64_t generation) {
    for (std::size_t i = 0; i < rt.thread_count; ++i) {
      const ThreadState& state = (*rt.states)[i];
      if (state.phase == ThreadPhase::Pending && state.pending.kind == OpKind::BarrierLeave &&
          state.pending.object == object && rt.fibres[i]->barrier_generation == generation) {
        return true;
      }
    }
    return generation == model.generation;
  };
  std::uint64_t next = 1;
  while (in_use(next)) ++next;
  return next;
}

}  // namespace

HEDDLE_INTERCEPT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (!rt.inside) return HEDDLE_REAL(pthread_barrier_wait)(barrier);
  Fibre& fibre = *rt.current;
  Barrier& model = model_of_barrier(barrier);
  touch_object(word(barrier));
  if (model.generation == 0) misuse("use of a barrier that is not initialised", HEDDLE_SITE);
  reach({.kind = OpKind::BarrierArrive, .size = 1, .object = word(barrier), .site = HEDDLE_SITE});
  object_access(word(barrier), sizeof *barrier, HEDDLE_SITE);
  fibre.barrier_generation = model.generation;
  // Rounds have clocks of their own: who leaves late must not learn of those who arrive for the next round.
  const std::uint64_t round = word(barrier) + 1 + model.generation % 2;
  release_more(fibre, round);
  const bool last = ++model.arrived == model.parties;
  if (last) {
    model.arrived = 0;
    model.generation = next_generation(model, word(barrier));
  }
  reach({.kind = OpKind::BarrierLeave, .size = 1, .object = word(barrier), .site = HEDDLE_SITE});
  acquire(fibre, round);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

namespace {

// Ends a once that its function leaves by an exception: the next caller tries again.
class OnceScope {
 public:
  OnceScope(Once& once, std::uint64_t site) : once_(once), site_(site) {}
  ~OnceScope() {
    end(Once::kFresh);
    clear_before_call();  // the unwinder goes on
  }
  void done() { end(Once::kDone); }
  OnceScope(const OnceScope&) = delete;
  OnceScope& operator=(const OnceScope&) = delete;

 private:
  void end(std::int32_t state) {
    if (ended_) return;
    ended_ = true;
    reach({.kind = OpKind::OnceEnd, .size = sizeof(Once), .object = word(&once_), .site = site_});
    once_.state = state;
    release(*rt.current, word(&once_));
  }
  Once& once_;
  std::uint64_t site_;
  bool ended_ = false;
};

}  // namespace

HEDDLE_INTERCEPT int pthread_once(pthread_once_t* control, void (*function)()) {
  if (!rt.inside) return HEDDLE_REAL(pthread_once)(control, function);
  auto& once = *reinterpret_cast<Once*>(control);
  const std::uint64_t site = HEDDLE_SITE;
  // What the C and C++ libraries initialise for themselves (the unwinder, locales) is nobody's synchronisation, as long
  // as nobody has to wait for it.
  if (called_from_system_library(site) && once.state != Once::kRunning) {
    if (once.state == Once::kDone) return 0;
    once.state = Once::kRunning;
    clear_before_call();
    function();
    once.state = Once::kDone;
    return 0;
  }
  touch_object(word(control));
  reach({.kind = OpKind::OnceBegin, .size = sizeof(Once), .object = word(control), .site = site});
  acquire(*rt.current, word(control));
  if (once.state == Once::kDone) {
    rt.event.op.kind = OpKind::OnceSeen;
    return 0;
  }
  once.state = Once::kRunning;
  OnceScope scope(once, site);
  clear_before_call();
  function();
  scope.done();
  return 0;
}

// Guards of static locals: byte 0 says that the object exists, byte 1 that a thread is constructing it.
HEDDLE_INTERCEPT int __cxa_guard_acquire(std::uint64_t* guard) {
  auto* bytes = reinterpret_cast<volatile unsigned char*>(guard);
  if (!rt.inside) {
    // Before main there is one thread.
    if (bytes[0] != 0) return 0;
    bytes[1] = 1;
    return 1;
  }
  reach({.kind = OpKind::OnceBegin, .size = sizeof *guard, .object = word(guard), .site = HEDDLE_SITE});
  acquire(*rt.current, word(guard));
  if (bytes[0] != 0) {
    rt.event.op.kind = OpKind::OnceSeen;
    return 0;
  }
  bytes[1] = 1;
  return 1;
}

namespace {

void end_guard(std::uint64_t* guard, unsigned char exists, std::uint64_t site) {
  auto* bytes = reinterpret_cast<volatile unsigned char*>(guard);
  if (rt.inside) {
    // The compiler's own check reads byte 0 as memory: the end of construction is a write to it.
    reach({.kind = OpKind::OnceEnd, .size = sizeof *guard, .object = word(guard), .second = word(guard), .site = site});
    release(*rt.current, word(guard));
  }
  bytes[1] = 0;
  bytes[0] = exists;
}

}  // namespace

HEDDLE_INTERCEPT void __cxa_guard_release(std::uint64_t* guard) noexcept { end_guard(guard, 1, HEDDLE_SITE); }
HEDDLE_INTERCEPT void __cxa_guard_abort(std::uint64_t* guard) noexcept { end_guard(guard, 0, HEDDLE_SITE); }
