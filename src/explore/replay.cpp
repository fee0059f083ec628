#include "explore/replay.hpp"

#include "explore/stateful/livelock.hpp"

namespace heddle {
namespace {

std::string at_choice(std::size_t index, const NamedChoice& choice) {
  return "choice " + std::to_string(index + 1) + " (thread " + choice.thread +
         (choice.outcome != 0 ? ", outcome " + std::to_string(choice.outcome) : "") + ")";
}

// Why the program cannot take this choice now, or nothing.
std::optional<std::string> misfit(const Program& program, const NamedChoice& choice) {
  const std::optional<ThreadId> thread = program.find(choice.thread);
  if (!thread) return "there is no such thread";
  const ThreadState& state = program.thread(*thread);
  if (state.phase == ThreadPhase::NotStarted) return "that thread has not been created yet";
  if (state.phase == ThreadPhase::Finished) return "that thread has already ended";
  if (state.phase == ThreadPhase::Stopped) return "that thread has failed before";
  if (!program.enabled().contains(*thread)) {
    return "that thread is blocked at its " + std::string(description(state.pending.kind));
  }
  if (choice.outcome < state.outcomes.first || choice.outcome >= state.outcomes.end()) {
    return "its " + std::string(description(state.pending.kind)) + " has no such outcome here";
  }
  return std::nullopt;
}

std::vector<std::byte> state_of(Program& program) {
  std::vector<StatePart> parts;
  program.describe(parts);
  return bytes_of(parts);
}

}  // namespace

ReplayResult replay(Program& program, const std::vector<NamedChoice>& schedule,
                    const std::function<void(const Event&)>& on_event, std::size_t loop) {
  ReplayResult result;
  std::vector<std::byte> loop_begins;
  ThreadSet in_loop;
  program.restart();
  for (const NamedChoice& choice : schedule) {
    if (program.phase() != ProgramPhase::Running || (program.enabled().empty() && program.raised() != nullptr)) {
      result.divergence = "the program ended before " + at_choice(result.performed, choice);
      result.finding = program.conclude();
      return result;
    }
    if (const auto reason = misfit(program, choice)) {
      result.divergence = at_choice(result.performed, choice) + " does not fit: " + *reason;
      return result;
    }
    const ThreadId thread = *program.find(choice.thread);
    if (loop > 0 && result.performed + loop == schedule.size()) loop_begins = state_of(program);
    if (result.performed + loop >= schedule.size()) in_loop.insert(thread);
    on_event(program.step({thread, choice.outcome}));
    if (program.phase() == ProgramPhase::Revised) return replay(program, schedule, on_event, loop);
    ++result.performed;
  }
  if (const Finding* raised = program.raised()) {
    result.finding = *raised;
    return result;
  }
  if (loop > 0 && !loop_begins.empty() && program.phase() == ProgramPhase::Running) {
    if (state_of(program) == loop_begins) {
      result.finding = livelock_finding(in_loop, loop);
    } else {
      result.divergence = "the loop at the end of the schedule does not lead back to where it begins";
    }
    return result;
  }
  result.finding = program.conclude();
  if (!result.finding && program.phase() == ProgramPhase::Running && !program.enabled().empty()) {
    result.divergence = "the program goes on after the last choice";
  }
  return result;
}

}  // namespace heddle
