#include "explore/sample/pos.hpp"

#include "model/dependency.hpp"

namespace heddle {

void Pos::know_threads(const Program& program) {
  while (priorities_.size() < program.thread_count()) priorities_.push_back(random_.next());
}

ThreadId Pos::pick(const Program& program) {
  know_threads(program);
  const ThreadSet& enabled = program.enabled();
  ThreadId best = *enabled.first();
  for (auto thread = enabled.after(best); thread; thread = enabled.after(*thread)) {
    if (priorities_[thread->value] > priorities_[best.value]) best = *thread;
  }
  return best;
}

void Pos::note(const Program& program, const Event& event) {
  know_threads(program);
  for (std::size_t t = 0; t < program.thread_count(); ++t) {
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    const ThreadState& state = program.thread(thread);
    if (state.phase != ThreadPhase::Pending) continue;
    const Event pending{.op = state.pending, .announced = state.pending.kind, .thread = thread};
    if (dependent(pending, event)) priorities_[t] = random_.next();
  }
}

}  // namespace heddle
