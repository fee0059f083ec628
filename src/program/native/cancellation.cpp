#include "program/native/cancellation.hpp"

#include <pthread.h>

#include <cerrno>
#include <string>

#include "program/native/loaded_code.hpp"
#include "program/native/locks.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/scheduler.hpp"
#include "program/native/thread_handles.hpp"
#include "program/native/thread_unwind.hpp"

namespace heddle::native {
namespace {

Cancellation::Thread& state(const Fibre& fibre) { return process_objects.cancellation.threads[fibre.id.value]; }

[[noreturn]] void act() {
  Fibre& fibre = *rt.current;
  rt.event.total = rt.event.cancelled = true;
  state(fibre).acting = true;
  fibre.result = PTHREAD_CANCELED;
  unwind_thread();
}

}  // namespace

bool cancel_due(const Fibre& fibre) noexcept {
  const Cancellation::Thread& own = process_objects.cancellation.threads[fibre.id.value];
  return own.requested && !own.disabled && !own.acting;
}

void act_if_cancelled() {
  if (cancel_due(*rt.current)) act();
}

void cancellation_point(std::uint64_t site) {
  if (!program_cancels()) return;
  reach({.kind = OpKind::CancelPoint, .second = rt.current->id.value, .site = site});
  act_if_cancelled();
}

}  // namespace heddle::native

using namespace heddle;          // NOLINT: what follows are definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

HEDDLE_INTERCEPT int pthread_cancel(pthread_t handle) {
  if (!rt.inside) return HEDDLE_REAL(pthread_cancel)(handle);
  const std::uint64_t site = HEDDLE_SITE;
  const Fibre* other = thread_of(handle);
  if (other == nullptr) misuse("cancellation of something that is not a thread", site);
  reach({.kind = OpKind::ThreadCancel, .second = other->id.value, .site = site});
  if (other->joined) misuse("a thread is cancelled after it was joined", site);
  change_process_objects().cancellation.threads[other->id.value].requested = true;
  cancelled(*other);
  return 0;
}

HEDDLE_INTERCEPT int pthread_setcancelstate(int wanted, int* old) {
  if (!rt.inside) return HEDDLE_REAL(pthread_setcancelstate)(wanted, old);
  if (wanted != PTHREAD_CANCEL_ENABLE && wanted != PTHREAD_CANCEL_DISABLE) return EINVAL;
  Cancellation::Thread& own = change_process_objects().cancellation.threads[rt.current->id.value];
  if (old != nullptr) *old = own.disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  own.disabled = wanted == PTHREAD_CANCEL_DISABLE;
  return 0;
}

HEDDLE_INTERCEPT int pthread_setcanceltype(int wanted, int* old) {
  if (!rt.inside) return HEDDLE_REAL(pthread_setcanceltype)(wanted, old);
  if (wanted != PTHREAD_CANCEL_DEFERRED && wanted != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  Cancellation::Thread& own = change_process_objects().cancellation.threads[rt.current->id.value];
  if (old != nullptr) *old = own.asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  if (wanted == PTHREAD_CANCEL_ASYNCHRONOUS && program_cancels()) {
    refuse(Refusal::Unsupported,
           "the program lets a thread be cancelled anywhere (PTHREAD_CANCEL_ASYNCHRONOUS), which is not modelled");
  }
  own.asynchronous = wanted == PTHREAD_CANCEL_ASYNCHRONOUS;
  return 0;
}

HEDDLE_INTERCEPT void pthread_testcancel() {
  if (!rt.inside) return HEDDLE_REAL(pthread_testcancel)();
  cancellation_point(HEDDLE_SITE);
}
