// What a transition touches, for the Cartesian reduction. There every thread has a transition in every state: one that
// is blocked, not started or at its end has one that leads back to the same state (a self-loop).
//
//   a step                          the accesses of its event; writes the thread object if the thread ended with it,
//                                   reads that of another thread if it touches what goes with that one's end
//   blocked                         reads what it waits for, so that two waiting threads do not conflict
//   not started, blocked in a join  reads the thread object, which the creation and the last step write
//   at the end, stopped             nothing
//   everything else                 conflicts with all transitions (`total`): blocked but for a time-out that only
//                                   nobody else being able to run brings about, operations that are not modelled
#pragma once

#include <span>
#include <vector>

#include "model/accesses.hpp"
#include "program/program.hpp"

namespace heddle {

struct Footprint {
  std::vector<ObjectAccess> accesses;
  bool total = false;

  [[nodiscard]] bool conflicts(const Footprint& other) const;
  void add(const Footprint& other);
};

[[nodiscard]] constexpr bool conflict(const ObjectAccess& a, const ObjectAccess& b) {
  return a.key == b.key && detail::conflict(a.bytes, a.mode, b.bytes, b.mode);
}

// Of the step that the program has just taken.
void footprint_of_step(const Program& program, const Event& event, Footprint& footprint);
// Of the self-loop of a thread that is not enabled.
void footprint_of_wait(ThreadId thread, const ThreadState& state, Footprint& footprint);

// Whether a thread's self-loop is not for want of anything: it is over, or stopped for good.
[[nodiscard]] bool at_end(const ThreadState& state);

// An event that changes nothing, but that its thread may have ended with it.
[[nodiscard]] bool only_reads(const Event& event);
// A step that changed nothing that another thread could see.
[[nodiscard]] bool is_idle(const Program& program, const Event& event);

}  // namespace heddle
