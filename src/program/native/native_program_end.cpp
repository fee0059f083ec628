// What an execution of the native back-end has come to: how it ended, and what is to be found in that.
#include <algorithm>

#include "program/native/await.hpp"
#include "program/native/native_program.hpp"
#include "program/native/runtime.hpp"
#include "program/native/scheduler.hpp"

namespace heddle::native {

std::optional<Finding> NativeProgram::conclude() {
  if (rt.phase == ProgramPhase::Failed) {
    if (const auto spinner = lone_spinner()) return spinner;
    return rt.finding;
  }
  // Who waits for a thread that failed does not wait for ever: the process ends.
  if (rt.phase != ProgramPhase::Running || !enabled_->empty() || rt.stopped) return std::nullopt;
  if (waiting(false) != nullptr) return std::nullopt;
  std::optional<ThreadId> blocked;
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const ThreadId thread{static_cast<std::uint16_t>(i)};
    if (state_of(thread).phase != ThreadPhase::Pending) continue;
    if (fibre_of(thread).stuck && !rt.exited) {
      return no_progress(thread, "the thread runs on and on without a visible operation, and no other thread can run");
    }
    if (!blocked) blocked = thread;
  }
  const Fibre* const spinner = waiting(true);
  if (spinner != nullptr && !rt.exited) return livelock(*spinner);
  // Threads that are blocked when the last exit handler has run end with the process.
  if (blocked && !rt.exited) return deadlock(*blocked);
  if (rt.exit_status != 0) {
    return Finding{FindingKind::AbnormalExit,
                   "main ended the program with exit status " + std::to_string(rt.exit_status), kMainThread, 0,
                   0xE5170000U + static_cast<std::uint64_t>(rt.exit_status)};
  }
  return std::nullopt;
}

// Whether the thread did the same thing, with the same result, a short while ago: a walk over many variables does not.
bool NativeProgram::repeats(const Event& event) {
  const std::uint32_t now = digest(event.op) ^ static_cast<std::uint32_t>(event.value * 0x9E3779B9U);
  const auto seen = lone_seen_.begin() + static_cast<std::ptrdiff_t>(std::min(lone_next_, lone_seen_.size()));
  if (std::find(lone_seen_.begin(), seen, now) != seen) return true;
  lone_seen_[lone_next_++ % lone_seen_.size()] = now;
  return false;
}

// Nobody else can run, it seems. But if somebody looked in vain for what has come since, it could: then the execution
// is one of those that do not count, and its last thread may as well stop.
void NativeProgram::end_lone_spin() {
  if (waiting(false) == nullptr) {
    rt.phase = ProgramPhase::Failed;
    return;
  }
  Fibre& spinner = fibre_of(lone_thread_);
  chosen(spinner);
  spinner.state->phase = ThreadPhase::Stopped;
  enabled_ = &refresh_enabled();
}

std::optional<Finding> NativeProgram::lone_spinner() const {
  if (lone_reads_ < rt.settings.spin_limit) return std::nullopt;
  return no_progress(lone_thread_, "the thread has changed nothing for " + std::to_string(lone_reads_) +
                                       " operations in a row, and no other thread can run");
}

// The first thread that waits in a loop: for ever, or although what it waits for has changed.
const Fibre* NativeProgram::waiting(bool for_ever) const {
  if (heddle_entry_wanted == 0) return nullptr;  // no loop is known that a thread could wait in
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    const bool waits = (*rt.states)[i].phase == ThreadPhase::Stopped && fibre.await.waiting;
    if (waits && waits_in_vain(fibre) != for_ever) return &fibre;
  }
  return nullptr;
}

Finding NativeProgram::livelock(const Fibre& spinner) const {
  return {FindingKind::Livelock,
          "the thread waits in a loop for something that no thread is going to change: the loop never ends", spinner.id,
          0, 0x4C697665U ^ spinner.state->pending.site * 0x9E3779B97F4A7C15U};
}

Finding NativeProgram::no_progress(ThreadId thread, std::string message) const {
  return {FindingKind::NoProgress, std::move(message), thread, 0, 0x4E6F5072U};
}

Finding NativeProgram::deadlock(ThreadId blocked) const {
  Finding finding{FindingKind::Deadlock, "no thread can run", blocked, 0, 0xDEAD};
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const ThreadState& state = (*rt.states)[i];
    if (state.phase != ThreadPhase::Pending) continue;
    finding.key = (finding.key ^ state.pending.site) * 0x9E3779B97F4A7C15U;
  }
  return finding;
}

}  // namespace heddle::native
