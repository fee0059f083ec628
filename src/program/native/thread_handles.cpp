#include "program/native/thread_handles.hpp"

#include "program/native/context_switch.hpp"
#include "program/native/runtime.hpp"
#include "program/native/tls.hpp"

namespace heddle::native {
pthread_t handle_of(const Fibre& fibre) noexcept { return fibre.tls_base; }

Fibre* thread_of(pthread_t handle) noexcept {
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    Fibre* fibre = rt.fibres[i];
    const bool exists =
        fibre == rt.current || (*rt.states)[i].phase != ThreadPhase::NotStarted || fibre->starter != nullptr;
    if (fibre->tls_base == handle && exists) return fibre;
  }
  return nullptr;
}

void run_to_first_operation(Fibre& child) {
  Fibre& parent = *rt.current;
  child.starter = &parent;
  enter(child);
  switch_stack(&parent.stack_pointer, child.stack_pointer);
}

Fibre& main_before_main() {
  static Fibre fibre;
  return fibre;
}

}  // namespace heddle::native
