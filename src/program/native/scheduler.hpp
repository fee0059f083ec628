// Which threads can run: kept up to date as operations are announced and chosen, and found anew behind a prefix that
// was replayed, during which nobody asks. Operations that can neither block nor vary in their outcomes are settled when
// announced, joins when the other thread ends; only the others are looked at again at each state.
#pragma once

#include "base/thread_set.hpp"
#include "program/native/cancellation.hpp"
#include "program/native/fibre.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {

struct SchedulerSets {
  ThreadSet settled;  // enabled with one outcome, whatever happens
  ThreadSet varying;  // to be looked at in each state
  ThreadSet joining;  // blocked until another thread ends, whatever else happens
  ThreadSet enabled;
  bool forced = false;  // the enabled threads are so only because nobody else can run
};
extern SchedulerSets scheduler_sets;

// Whether a fibre waits for another thread's end and for nothing else.
[[nodiscard]] inline bool only_joins(const Fibre& fibre) noexcept {
  const Operation& op = fibre.state->pending;
  return op.kind == OpKind::ThreadJoin && !op.timed && !cancel_due(fibre);
}

inline void settle_outcome(const Fibre& fibre) noexcept {
  fibre.state->outcomes = {kUsual, 1};
  scheduler_sets.settled.insert(fibre.id);
}

// The pending operation of a fibre has just been announced.
inline void announced(const Fibre& fibre) noexcept {
  ThreadState& state = *fibre.state;
  if (!varies(state.pending.kind)) return settle_outcome(fibre);
  if (!only_joins(fibre)) {
    scheduler_sets.varying.insert(fibre.id);
  } else if (join_need_not_wait(state.pending)) {
    settle_outcome(fibre);
  } else {
    state.outcomes = {};
    scheduler_sets.joining.insert(fibre.id);
  }
}

// A thread has ended, or to join it has become a mistake.
inline void joins_at_once(ThreadId thread) noexcept {
  scheduler_sets.joining.for_each([&](ThreadId joiner) {
    const Fibre& fibre = fibre_of(joiner);
    if (fibre.state->pending.second != thread.value) return;
    scheduler_sets.joining.erase(joiner);
    settle_outcome(fibre);
  });
}

// The pending operation of a fibre has been chosen.
inline void chosen(const Fibre& fibre) noexcept {
  scheduler_sets.settled.erase(fibre.id);
  scheduler_sets.varying.erase(fibre.id);
}

// The outcomes of a fibre's pending operation may be others from now on: somebody wants its thread to end.
inline void cancelled(const Fibre& fibre) noexcept {
  const bool settled = scheduler_sets.settled.contains(fibre.id) && varies(fibre.state->pending.kind);
  if (!settled && !scheduler_sets.joining.contains(fibre.id)) return;
  scheduler_sets.settled.erase(fibre.id);
  scheduler_sets.joining.erase(fibre.id);
  scheduler_sets.varying.insert(fibre.id);
}

// Whether a fibre's operation, just announced, is all there is to do, and settled.
[[nodiscard]] inline bool only_settled(const Fibre& fibre) noexcept {
  return scheduler_sets.varying.empty() && scheduler_sets.settled.contains(fibre.id) &&
         !scheduler_sets.settled.has_several();
}

// Whether the threads enabled now could not run if anybody else could.
inline bool only_forced() noexcept { return scheduler_sets.forced; }

// Forgets all threads, for a restart.
void forget_threads() noexcept;
// Finds out which threads wait at which operation.
void find_threads() noexcept;
// Brings the outcomes of all threads up to date and returns the enabled ones.
const ThreadSet& refresh_enabled();

}  // namespace heddle::native
