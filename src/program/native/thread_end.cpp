#include "program/native/thread_end.hpp"

#include "program/native/keys.hpp"
#include "program/native/locks.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/scheduler.hpp"
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

}  // namespace

void run_thread_destructors(Fibre& fibre) {
  // A destructor may register another one.
  while (!fibre.tls_destructors.empty()) {
    const TlsDestructor last = fibre.tls_destructors.back();
    fibre.tls_destructors.pop_back();
    clear_before_call();
    last.function(last.object);
  }
  run_key_destructors(fibre);
  abandon_robust_mutexes(fibre);
}

}  // namespace heddle::native
