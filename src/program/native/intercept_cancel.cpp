// pthread_cancel and what a thread says about being cancelled.
#include <pthread.h>

#include <cerrno>

#include "program/native/cancellation.hpp"
#include "program/native/loaded_code.hpp"
#include "program/native/locks.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/scheduler.hpp"
#include "program/native/thread_handles.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
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
