#include "program/native/scheduler.hpp"

#include "program/native/outcomes.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {
namespace {

struct Sets {
  ThreadSet settled;  // enabled with one outcome, whatever happens
  ThreadSet varying;  // to be looked at in each state
  ThreadSet enabled;
};
Sets sets;

bool look_again(bool forced) {
  bool any = false;
  for (auto thread = sets.varying.first(); thread; thread = sets.varying.after(*thread)) {
    ThreadState& state = state_of(*thread);
    state.outcomes = outcomes_of(fibre_of(*thread), state.pending, forced);
    if (state.outcomes.count == 0) continue;
    sets.enabled.insert(*thread);
    any = true;
  }
  return any;
}

}  // namespace

void announced(const Fibre& fibre) noexcept {
  ThreadState& state = state_of(fibre.id);
  if (varies(state.pending.kind)) {
    sets.varying.insert(fibre.id);
  } else {
    state.outcomes = {kUsual, 1};
    sets.settled.insert(fibre.id);
  }
}

void chosen(const Fibre& fibre) noexcept {
  sets.settled.erase(fibre.id);
  sets.varying.erase(fibre.id);
}

void forget_threads() noexcept { sets = {}; }

const ThreadSet& refresh_enabled() {
  sets.enabled = sets.settled;
  // Nobody can run: time passes until somebody's time-out, whatever the budget of time-outs.
  if (!look_again(false) && sets.enabled.empty()) look_again(true);
  return sets.enabled;
}

}  // namespace heddle::native
