// Operations that are pending in a state, as second events of races. A thread that waits for a lock its holder never
// gives back has performed nothing, yet had it come first, things would have gone another way (algorithms.md 14.3).
#pragma once

#include <vector>

#include "explore/stateless/conflicts.hpp"
#include "model/execution.hpp"
#include "program/program.hpp"

namespace heddle {

struct PendingOperation {
  Event event;  // at the most: what the operation may turn out to be
  std::size_t position;
  Execution::Position previous;
  std::vector<Execution::Access> accesses;

  [[nodiscard]] SecondEvent second() const { return {event, position, previous, accesses}; }
};

// The event that a pending operation could become.
[[nodiscard]] Event foreseen(ThreadId thread, const Operation& pending, const Execution& execution);

// The operation as it meets the execution so far.
[[nodiscard]] PendingOperation meet(const Event& foreseen, const Execution& execution);

// Those of the disabled threads in the last state of an execution; of all threads if it was cut short there.
[[nodiscard]] std::vector<PendingOperation> pending_operations(const Program& program, const Execution& execution,
                                                               bool cut);

}  // namespace heddle
