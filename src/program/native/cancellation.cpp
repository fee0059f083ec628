#include "program/native/cancellation.hpp"

#include <pthread.h>

#include "program/native/loaded_code.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/runtime.hpp"
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
