#include "program/native/thread_end.hpp"

#include "program/native/keys.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/sync_objects.hpp"

namespace heddle::native {

void run_thread_destructors(Fibre& fibre) {
  // A destructor may register another one.
  while (!fibre.tls_destructors.empty()) {
    const TlsDestructor last = fibre.tls_destructors.back();
    fibre.tls_destructors.pop_back();
    clear_before_call();
    last.function(last.object);
  }
  run_key_destructors(fibre);
  // A robust mutex tells its next owner that this one died.
  for (const HeldLock& held : fibre.held) {
    if (held.kind != HeldKind::Mutex) continue;
    auto& mutex = *reinterpret_cast<Mutex*>(held.object);
    if (!mutex.robust()) continue;
    release(fibre, held.object);
    rt.mixed_step = rt.event.total = true;
    mutex.robust_state = 1;
    mutex.lock = 0;
    mutex.owner = 0;
    mutex.count = 0;
  }
}

}  // namespace heddle::native
