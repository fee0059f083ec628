#include "program/native/scheduler.hpp"

namespace heddle::native {

SchedulerSets scheduler_sets;

namespace {

bool look_again(bool forced) {
  bool any = false;
  scheduler_sets.varying.for_each([&](ThreadId thread) {
    ThreadState& state = state_of(thread);
    state.outcomes = outcomes_of(fibre_of(thread), state.pending, forced);
    if (state.outcomes.count == 0) return;
    scheduler_sets.enabled.insert(thread);
    any = true;
  });
  return any;
}

// Inside an atomic section a thread goes on alone as long as it can. If it cannot, others that wait in the middle of
// theirs and can go on come before the rest.
void keep_to_sections() {
  ThreadSet inside;
  scheduler_sets.enabled.for_each([&](ThreadId thread) {
    if (fibre_of(thread).atomic_depth > 0) inside.insert(thread);
  });
  if (inside.empty()) return;
  if (rt.atomic_owner != nullptr && inside.contains(rt.atomic_owner->id)) {
    inside.clear();
    inside.insert(rt.atomic_owner->id);
  }
  scheduler_sets.enabled = inside;
}

}  // namespace

void forget_threads() noexcept {
  scheduler_sets.settled.clear();
  scheduler_sets.varying.clear();
  scheduler_sets.joining.clear();
  scheduler_sets.enabled.clear();
  scheduler_sets.forced = false;
}

void find_threads() noexcept {
  forget_threads();
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    if (fibre.state->phase == ThreadPhase::Pending && !fibre.stuck) announced(fibre);
  }
}

const ThreadSet& refresh_enabled() {
  scheduler_sets.enabled = scheduler_sets.settled;
  // Nobody can run: time passes until somebody's time-out, whatever the budget of time-outs.
  scheduler_sets.forced = !look_again(false) && scheduler_sets.enabled.empty() && look_again(true);
  if (rt.open_sections > 0) keep_to_sections();
  return scheduler_sets.enabled;
}

}  // namespace heddle::native
