#include "explore/engine.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace heddle {

Engine::Engine(Program& program, Reduction& reduction, Listener& listener, ExploreOptions options)
    : program_(program), reduction_(reduction), listener_(listener), options_(options) {}

ExploreResult Engine::explore() {
  if (options_.budget.max_time) deadline_ = std::chrono::steady_clock::now() + *options_.budget.max_time;
  for (;;) {
    if (const auto reason = finish_execution(run_execution())) {
      result_.ended = *reason;
      break;
    }
    const std::optional<Reduction::Branch> branch = reduction_.backtrack();
    if (!branch) {
      result_.ended = result_.cut_executions ? Ended::Steps : Ended::Complete;
      break;
    }
    if (const auto reached = budget_reached()) {
      result_.ended = *reached;
      break;
    }
    schedule_.resize(branch->depth);
    branch_ = branch->choice;
  }
  return result_;
}

Engine::End Engine::run_execution() {
  program_.restart();
  const std::size_t replayed = program_.run(schedule_);
  result_.statistics.replayed += replayed;
  if (replayed < schedule_.size()) {
    // The same choices led elsewhere. A search cannot go on from here: what it covered is no longer known.
    schedule_.resize(replayed);
    return program_.phase() == ProgramPhase::Refused ? End::Refused : End::Failed;
  }
  if (branch_) {
    perform(*branch_);
    branch_.reset();
  }
  for (;;) {
    switch (program_.phase()) {
      case ProgramPhase::Running: break;
      case ProgramPhase::Failed: return End::Failed;
      case ProgramPhase::Abandoned: return End::Abandoned;
      case ProgramPhase::Refused: return End::Refused;
    }
    if (program_.enabled().empty()) return End::Maximal;
    if (schedule_.size() >= options_.budget.max_steps) return End::StepBudget;
    const std::optional<Choice> choice = reduction_.first_choice(program_);
    if (!choice) return End::Blocked;
    perform(*choice);
  }
}

void Engine::perform(Choice choice) {
  schedule_.push_back({choice, digest(program_.thread(choice.thread).pending)});
  const Event& event = program_.step(choice);
  ++result_.statistics.events;
  reduction_.performed(event);
}

std::optional<Ended> Engine::finish_execution(End end) {
  Statistics& statistics = result_.statistics;
  statistics.max_depth = std::max<std::uint64_t>(statistics.max_depth, schedule_.size());
  statistics.threads = std::max<std::uint64_t>(statistics.threads, program_.thread_count());
  std::optional<Ended> stop;
  switch (end) {
    case End::Refused: return Ended::Refused;
    case End::Blocked: ++statistics.blocked; break;
    case End::Abandoned: ++statistics.abandoned; break;
    case End::StepBudget:
    case End::Maximal:
    case End::Failed: {
      const std::optional<Finding> finding = program_.conclude();
      HEDDLE_REQUIRE(finding || end != End::Failed, "a failed execution has a finding");
      if (end == End::StepBudget && !finding) {
        result_.cut_executions = true;
      } else {
        ++statistics.executions;
      }
      if (finding && report(*finding)) stop = Ended::FirstFinding;
      break;
    }
  }
  listener_.execution_ended(statistics);
  return stop;
}

bool Engine::report(const Finding& finding) {
  if (std::find(reported_.begin(), reported_.end(), finding.key) == reported_.end()) {
    reported_.push_back(finding.key);
    listener_.found(finding, schedule_);
  }
  // After nondeterminism outside our control no further answer would mean anything.
  return !options_.keep_going || finding.kind == FindingKind::Nondeterminism;
}

std::optional<Ended> Engine::budget_reached() const {
  if (interrupted_.load(std::memory_order_relaxed)) return Ended::Interrupted;
  const Statistics& statistics = result_.statistics;
  const std::uint64_t runs = statistics.executions + statistics.blocked + statistics.abandoned;
  if (runs >= options_.budget.max_executions) return Ended::Executions;
  if (options_.budget.max_time && std::chrono::steady_clock::now() >= deadline_) return Ended::Time;
  return std::nullopt;
}

}  // namespace heddle
