#include "program/native/thread_end.hpp"

#include <cstddef>

#include "program/native/exit.hpp"
#include "program/native/keys.hpp"
#include "program/native/locks.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/scheduler.hpp"
#include "program/native/section.hpp"
#include "program/native/sync_objects.hpp"

namespace heddle::native {
namespace {

// A robust mutex tells its next owner that this one died. Until then others find it locked: a step for each, the one
// locked last first, as the kernel does.
void abandon_robust_mutexes(Fibre& fibre) {
  for (std::size_t i = fibre.held.size(); i-- > 0;) {
    const HeldLock held = fibre.held[i];
    if (held.kind != HeldKind::Mutex || !reinterpret_cast<Mutex*>(held.object)->robust()) continue;
    reach({.kind = OpKind::MutexAbandon, .size = 1, .object = held.object, .site = held.site});
    auto& mutex = *reinterpret_cast<Mutex*>(held.object);
    rt.event.before = static_cast<std::uint64_t>(mutex.owner);
    drop_mutex(fibre, mutex);
    mutex.robust_state = Mutex::kOwnerDied;
    mutex.count = 0;
  }
}

// main is left by pthread_exit, or has been, and nobody but the current thread is there any more.
bool ends_process(const Fibre& fibre) {
  const bool without_main = fibre.id == kMainThread || state_of(kMainThread).phase == ThreadPhase::Finished;
  if (!without_main || rt.main_returned || rt.exploring_function) return false;
  for (std::size_t i = 1; i < rt.thread_count; ++i) {
    const ThreadPhase phase = (*rt.states)[i].phase;
    if (i != fibre.id.value && phase != ThreadPhase::NotStarted && phase != ThreadPhase::Finished) return false;
  }
  return true;
}

}  // namespace

void run_tls_destructors(Fibre& fibre) {
  // A destructor may register another one.
  while (!fibre.tls_destructors.empty()) {
    const TlsDestructor last = fibre.tls_destructors.back();
    fibre.tls_destructors.pop_back();
    clear_before_call();
    last.function(last.object);
  }
}

void end_thread() {
  Fibre& fibre = *rt.current;
  run_tls_destructors(fibre);
  run_key_destructors(fibre);
  fibre.key_values.clear();
  abandon_robust_mutexes(fibre);
  if (rt.closing) exit_handlers_end();  // one of them has ended its thread once more
  close_section();
  if (ends_process(fibre)) end_of_last_thread();
  finish_thread();
}

}  // namespace heddle::native
