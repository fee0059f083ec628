#include "explore/guided_run.hpp"

#include <algorithm>

namespace heddle {
namespace {

bool can_take(const Program& program, Choice choice) {
  if (choice.thread.value >= program.thread_count() || !program.enabled().contains(choice.thread)) return false;
  const Outcomes outcomes = program.thread(choice.thread).outcomes;
  return choice.outcome >= outcomes.first && choice.outcome < outcomes.end();
}

// The wishes not yet fulfilled, in order; a thread's own wishes are only ever taken in order.
class Wishes {
 public:
  explicit Wishes(std::span<const Choice> wishes) : left_(wishes.begin(), wishes.end()) {}

  std::optional<Choice> next(const Program& program) {
    ThreadSet passed_over;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const ThreadId thread = left_[i].thread;
      if (passed_over.contains(thread)) continue;
      if (!can_take(program, left_[i])) {
        passed_over.insert(thread);
        continue;
      }
      const Choice choice = left_[i];
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
      return choice;
    }
    return std::nullopt;
  }

 private:
  std::vector<Choice> left_;
};

Choice by_itself(const Program& program, ThreadId last) {
  const ThreadId thread = program.enabled().contains(last) ? last : *program.enabled().first();
  return {thread, program.thread(thread).outcomes.first};
}

}  // namespace

GuidedRun run_guided(Program& program, std::span<const PlannedChoice> fixed, std::span<const Choice> wishes,
                     std::size_t max_steps, const Finding* wanted) {
  GuidedRun run;
  Wishes wished(wishes);
  const auto failed = [&] {
    const Finding* const raised = program.raised();
    if (raised == nullptr || (wanted != nullptr && !same_finding(*raised, *wanted))) return false;
    run.finding = *raised;
    run.end = GuidedRun::End::Failed;
    return true;
  };
  program.restart();
  if (failed()) return run;
  while (program.phase() == ProgramPhase::Running && !program.enabled().empty()) {
    if (run.schedule.size() >= max_steps) return run;
    Choice choice;
    if (run.schedule.size() < fixed.size()) {
      const PlannedChoice& planned = fixed[run.schedule.size()];
      choice = planned.choice;
      if (!can_take(program, choice) || digest(program.thread(choice.thread).pending) != planned.digest) return run;
    } else if (const auto wish = wished.next(program)) {
      choice = *wish;
    } else {
      choice = by_itself(program, run.schedule.empty() ? kMainThread : run.schedule.back().choice.thread);
    }
    if (!run.schedule.empty()) {
      const ThreadId last = run.schedule.back().choice.thread;
      if (last != choice.thread && program.enabled().contains(last)) ++run.preemptions;
    }
    run.schedule.push_back({choice, digest(program.thread(choice.thread).pending)});
    program.step(choice);
    if (program.abandoned() || failed()) return run;
  }
  const bool ended = program.phase() != ProgramPhase::Refused && program.phase() != ProgramPhase::Revised;
  if (!ended || run.schedule.size() < fixed.size()) return run;
  run.finding = program.conclude();
  run.end = run.finding ? GuidedRun::End::Failed : GuidedRun::End::Passed;
  if (run.finding && run.finding->kind == FindingKind::Nondeterminism) run.end = GuidedRun::End::Useless;
  return run;
}

}  // namespace heddle
