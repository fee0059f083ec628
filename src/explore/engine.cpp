#include "explore/engine.hpp"

#include <algorithm>
#include <utility>

#include "base/contract.hpp"

namespace heddle {

Engine::Engine(Program& program, Reduction& reduction, Listener& listener, ExploreOptions options)
    : program_(program),
      threads_(program.undecorated()),
      reduction_(reduction),
      listener_(listener),
      options_(options) {}

ExploreResult Engine::explore(std::string_view resume_from) {
  if (options_.budget.max_time) deadline_ = std::chrono::steady_clock::now() + *options_.budget.max_time;
  if (!resume_from.empty() && !resume(resume_from)) {
    result_.ended = Ended::NotResumed;
    return result_;
  }
  for (;;) {
    const End end = run_execution();
    same_ = schedule_.size();
    if (end == End::Revised || end == End::NotResumed) {
      result_.ended = end == End::Revised ? Ended::Revised : Ended::NotResumed;
      break;
    }
    if (end != End::Refused) {
      reduction_.ended(threads_, end == End::Failed || end == End::StepBudget);
    }
    if (const auto reason = finish_execution(end)) {
      result_.ended = *reason;
      break;
    }
    const std::optional<Reduction::Branch> branch = reduction_.backtrack(*this);
    if (revised_) {
      result_.ended = Ended::Revised;
      break;
    }
    if (diverged_) {
      schedule_ = probed_;
      const std::optional<Ended> reason =
          finish_execution(program_.phase() == ProgramPhase::Refused ? End::Refused : End::Failed);
      result_.ended = reason.value_or(Ended::FirstFinding);
      break;
    }
    if (!branch) {
      result_.ended = reduction_.gave_up().value_or(result_.cut_executions ? Ended::Steps : Ended::Complete);
      close();
      break;
    }
    if (branch->instead.empty()) {
      schedule_.resize(branch->depth);
    } else {
      schedule_ = branch->instead;
      same_ = 0;
    }
    branch_ = branch->choice;
    const std::optional<Ended> reached = budget_reached();
    if (reached || listener_.wants_checkpoint()) write_checkpoint();
    if (reached) {
      result_.ended = *reached;
      break;
    }
  }
  return result_;
}

// Between executions: what the next one begins with, what the search has come to, and what the reduction knows.
bool Engine::archive(Archive& archive) {
  archive(schedule_);
  archive(branch_);
  archive(result_.statistics);
  archive(result_.cut_executions);
  archive(reported_);
  return reduction_.archive(archive) && archive.sound();
}

void Engine::write_checkpoint() {
  Archive written;
  if (archive(written)) listener_.checkpoint(written.written());
}

bool Engine::resume(std::string_view state) {
  Archive read(state);
  resumed_ = true;
  return archive(read) && read.left().empty();
}

Engine::End Engine::run_execution() {
  if (program_.phase() == ProgramPhase::Revised) return End::Revised;  // by somebody else's run in between
  const std::size_t replayed = program_.rerun(schedule_, std::min(same_, schedule_.size()));
  // A thread may fail before the first choice; then it does so in every execution.
  if (schedule_.empty() && result_.statistics.executions + result_.statistics.abandoned == 0) note_raised();
  result_.statistics.replayed += replayed;
  const bool just_resumed = std::exchange(resumed_, false);
  if (replayed < schedule_.size()) {
    // The same choices led elsewhere. A search cannot go on from here: what it covered is no longer known.
    schedule_.resize(replayed);
    if (program_.phase() == ProgramPhase::Revised) return End::Revised;
    if (just_resumed) return End::NotResumed;
    return program_.phase() == ProgramPhase::Refused ? End::Refused : End::Failed;
  }
  Choice next;
  bool goes_on = true;
  if (branch_) {
    next = *std::exchange(branch_, std::nullopt);
  } else {
    goes_on = decide(program_.phase(), next);
  }
  while (goes_on) goes_on = perform(next);
  return *std::exchange(end_, std::nullopt);
}

bool Engine::decide(ProgramPhase phase, Choice& next) {
  switch (phase) {
    case ProgramPhase::Running: break;
    case ProgramPhase::Failed: return ends(End::Failed);
    case ProgramPhase::Refused: return ends(End::Refused);
    case ProgramPhase::Revised: return ends(End::Revised);
  }
  if (!raised_.empty() && !options_.keep_going) return ends(End::Failed);
  if (reduction_.covered()) return ends(End::Blocked);
  if (threads_.enabled().empty()) return ends(End::Maximal);
  if (schedule_.size() >= options_.budget.max_steps) return ends(End::StepBudget);
  const MaybeChoice choice = reduction_.first_choice(threads_);
  if (!choice) return ends(End::Blocked);
  next = *choice;
  return true;
}

bool Engine::perform(Choice& choice) {
  plan(choice);
  const Event* event = program_.drive(choice, *this);
  if (end_) return false;
  const ProgramPhase phase = program_.phase();
  // When all begins anew, nobody is interested in what that was.
  if (event != nullptr && phase != ProgramPhase::Revised) {
    note_raised();
    account_for(*event);
  }
  return decide(phase, choice);
}

bool Engine::next(const Event& event, Choice& choice) {
  account_for(event);
  if (!decide(ProgramPhase::Running, choice)) return false;
  plan(choice);
  return true;
}

bool Engine::joins_next(const Event& event, const Operation& join) {
  if (!raised_.empty() || schedule_.size() >= options_.budget.max_steps || !reduction_.joins_next(event, join)) {
    return false;
  }
  ++result_.statistics.events;
  schedule_.push_back({{event.thread, 0}, digest(join)});
  return true;
}

void Engine::plan(Choice choice) { schedule_.push_back({choice, digest(threads_.thread(choice.thread).pending)}); }

void Engine::account_for(const Event& event) {
  ++result_.statistics.events;
  reduction_.performed(threads_, event);
}

std::vector<Event> Engine::probe(std::size_t depth, std::span<const std::uint32_t> word, ThreadId thread) {
  probed_.assign(schedule_.begin(), schedule_.begin() + static_cast<std::ptrdiff_t>(depth));
  for (const std::uint32_t position : word) probed_.push_back(schedule_[position]);
  std::vector<Event> events;
  if (!run_probe(depth) || !program_.enabled().contains(thread)) return events;
  const Outcomes outcomes = program_.thread(thread).outcomes;
  for (Outcome outcome = outcomes.first; outcome < outcomes.end(); ++outcome) {
    if (outcome != outcomes.first && !run_probe(depth)) break;
    events.push_back(program_.step({thread, outcome}));
    revised_ = revised_ || program_.phase() == ProgramPhase::Revised;
  }
  return events;
}

const Program* Engine::visit(std::span<const PlannedChoice> schedule) {
  probed_.assign(schedule.begin(), schedule.end());
  return run_probe(0) ? &program_ : nullptr;
}

// Brings the program to the end of the probed schedule, which begins like the current one as far as `same`; false if it
// is not deterministic.
bool Engine::run_probe(std::size_t same) {
  if (diverged_ || revised_) return false;
  same_ = std::min(same_, same);
  const std::size_t performed = program_.rerun(probed_, same_);
  result_.statistics.replayed += performed;
  revised_ = program_.phase() == ProgramPhase::Revised;
  if (revised_) return false;
  if (performed < probed_.size()) {
    // The word consists of steps that do not depend on what was left out: they were there to be taken.
    HEDDLE_REQUIRE(program_.phase() != ProgramPhase::Running, "a step that depends on none of those left out is gone");
    probed_.resize(performed);
    diverged_ = true;
    return false;
  }
  if (probed_.empty() && program_.phase() != ProgramPhase::Running) {
    // It did run before: what was found out while it was restarted ends the search.
    diverged_ = true;
    return false;
  }
  return true;
}

// The last execution, too, is one that a program may be asked to repeat: it does so when it is restarted.
void Engine::close() {
  program_.restart();
  if (program_.phase() == ProgramPhase::Running) return;
  if (program_.phase() == ProgramPhase::Refused) {
    result_.ended = Ended::Refused;
  } else if (const std::optional<Finding> finding = program_.conclude()) {
    report(*finding, schedule_.size());
    result_.ended = Ended::FirstFinding;
  }
}

std::optional<Ended> Engine::finish_execution(End end) {
  Statistics& statistics = result_.statistics;
  statistics.max_depth = std::max<std::uint64_t>(statistics.max_depth, schedule_.size());
  statistics.threads = std::max<std::uint64_t>(statistics.threads, program_.thread_count());
  if (end == End::Refused) return Ended::Refused;
  // Reporting runs the program again, so everything is asked before anything is reported.
  const bool abandoned = program_.abandoned();
  std::optional<Finding> conclusion;
  if (end != End::Blocked && !abandoned && raised_.empty()) conclusion = program_.conclude();
  HEDDLE_REQUIRE(end != End::Failed || conclusion || !raised_.empty(), "a failed execution has a finding");
  if (end == End::Blocked) {
    ++statistics.blocked;
  } else if (abandoned) {
    ++statistics.abandoned;
  } else if (end == End::StepBudget && !conclusion) {
    result_.cut_executions = true;
  } else {
    ++statistics.executions;
  }
  std::optional<Ended> stop;
  for (const Raised& raised : raised_) {
    if (report(raised.finding, raised.depth)) stop = Ended::FirstFinding;
  }
  raised_.clear();
  if (failed_ || conclusion) ++statistics.failures;
  failed_ = false;
  if (conclusion && report(*conclusion, schedule_.size())) stop = Ended::FirstFinding;
  listener_.execution_ended(statistics);
  return stop;
}

bool Engine::known(const Finding& finding) const {
  return std::find(reported_.begin(), reported_.end(), finding.key) != reported_.end();
}

void Engine::note_raised() {
  const Finding* finding = program_.raised();
  if (finding == nullptr) return;
  failed_ = true;
  if (!known(*finding)) raised_.push_back({*finding, schedule_.size()});
}

bool Engine::report(const Finding& finding, std::size_t depth) {
  if (!known(finding)) {
    reported_.push_back(finding.key);
    listener_.found(finding, std::span(schedule_).first(depth));
    same_ = 0;  // to describe it the program was run again, along who knows what
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
