#include "program/native/thread_handles.hpp"

#include "program/native/context_switch.hpp"
#include "program/native/exit.hpp"
#include "program/native/runtime.hpp"
#include "program/native/tls.hpp"

namespace heddle::native {
pthread_t handle_of(const Fibre& fibre) noexcept { return fibre.tls_base; }

namespace {

bool has_handle(std::size_t thread, pthread_t handle) noexcept {
  const Fibre* const fibre = rt.fibres[thread];
  if (fibre->tls_base != handle) return false;
  return fibre == rt.current || fibre->state->phase != ThreadPhase::NotStarted || fibre->starter != nullptr;
}

std::size_t found_last = 0;

}  // namespace

// Threads are mostly asked for in the order of their numbers. No two have the same handle, so that it does not matter
// where the search for it begins.
Fibre* thread_of(pthread_t handle) noexcept {
  if (rt.closing) refuse_at_exit();
  std::size_t thread = found_last;
  for (std::size_t looked_at = 0; looked_at < rt.thread_count; ++looked_at) {
    if (++thread >= rt.thread_count) thread = 0;
    if (!has_handle(thread, handle)) continue;
    found_last = thread;
    return rt.fibres[thread];
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
