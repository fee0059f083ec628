#include "explore/stateless/pending.hpp"

namespace heddle {

Event foreseen(ThreadId thread, const Operation& pending, const Execution& execution) {
  Event event{.op = pending,
              .announced = pending.kind,
              .thread = thread,
              .index = static_cast<std::uint32_t>(execution.events_of(thread)) + 1};
  if (pending.kind == OpKind::CondWake || pending.kind == OpKind::FutexReturn) event.woken = wake_bit(thread);
  return event;
}

PendingOperation meet(const Event& foreseen, const Execution& execution) {
  PendingOperation pending{foreseen, execution.size(), execution.last(foreseen.thread), {}};
  execution.meet(foreseen, pending.accesses);
  if (foreseen.op.timed && foreseen.woken != 0) {
    // A wait with a time limit may also end without a wake-up, which is another kind of event.
    Event late = foreseen;
    late.op.kind = foreseen.op.kind == OpKind::CondWake ? OpKind::CondTimeout : OpKind::FutexTimeout;
    execution.meet(late, pending.accesses);
  }
  return pending;
}

std::vector<PendingOperation> pending_operations(const Program& program, const Execution& execution, bool cut) {
  std::vector<PendingOperation> pending;
  for (std::size_t t = 0; t < program.thread_count(); ++t) {
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    const ThreadState& state = program.thread(thread);
    if (state.phase != ThreadPhase::Pending) continue;
    const bool enabled = program.enabled().contains(thread);
    // A thread that was given up stays where it is whatever happens.
    const bool stuck = !enabled && state.pending.kind == OpKind::Unknown;
    if ((enabled && !cut) || stuck) continue;
    pending.push_back(meet(foreseen(thread, state.pending, execution), execution));
  }
  return pending;
}

}  // namespace heddle
