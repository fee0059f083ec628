#include "cli/symbolic_check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/assemble.hpp"
#include "cli/bitcode.hpp"
#include "cli/checkpoint_file.hpp"
#include "cli/installation.hpp"
#include "cli/interrupt_watch.hpp"
#include "cli/result_file.hpp"
#include "cli/symbolic_checkpoint.hpp"
#include "cli/toolchain.hpp"
#include "cli/user_error.hpp"
#include "report/sources.hpp"
#include "symbolic/bounded_check.hpp"
#include "symbolic/llvm/program.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using symbolic::CheckResult;
using symbolic::Counterexample;
using symbolic::Fault;
using symbolic::ProgramAutomata;
using symbolic::Solver;
using Clock = std::chrono::steady_clock;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

struct Loaded {
  std::unique_ptr<ProgramAutomata> automata;
  std::string fingerprint;  // of the code
  Clock::time_point end;    // of the time for the search, compiling not counted
};

// When --max-time, which begins now, is over.
Clock::time_point end_of_time(const CheckOptions& options) {
  const auto& limit = options.configuration.search.explore.budget.max_time;
  return limit ? Clock::now() + std::chrono::duration_cast<Clock::duration>(*limit) : Clock::time_point::max();
}

Loaded load(const SymbolicTarget& target, const CheckOptions& options) {
  const Workspace workspace;
  symbolic::ProgramSource source{compile_to_bitcode(target.sources, options.cflags, "--symbolic", workspace),
                                 {target.sources.front()},
                                 options.configuration.spurious_wakeups,
                                 end_of_time(options)};
  std::string code;
  for (const std::string& file : source.bitcode) code += fingerprint_of_file(file);
  source.arguments.insert(source.arguments.end(), target.arguments.begin(), target.arguments.end());
  std::string error;
  std::unique_ptr<ProgramAutomata> automata = symbolic::load_program(source, error);
  if (automata == nullptr && error.empty()) {
    throw UserError("this heddle was built without LLVM, which --symbolic needs (Debian: llvm-19-dev)");
  }
  if (automata == nullptr) throw UserError(target.sources.front() + ": " + error);
  return {std::move(automata), fingerprint(code), source.end};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw cannot("write", path);
}

json figures(const CheckResult& checked, const Solver& solver) {
  json depths = json::array();
  for (const symbolic::DepthFigures& depth : checked.depths) depths.push_back(to_json(depth));
  const symbolic::DepthFigures& last = checked.depths.back();
  return {{"solver", solver.name()},
          {"depth", checked.depth},
          {"terms", last.terms},
          {"conflicts", last.statistics.conflicts},
          {"decisions", last.statistics.decisions},
          {"propagations", last.statistics.propagations},
          {"depths", depths}};
}

// The schedule that the native engine has to follow: main's events before its first location, then those of each step.
std::vector<NamedChoice> native_schedule(const ProgramAutomata& automata, const Counterexample& found) {
  std::vector<NamedChoice> schedule(automata.prefix_events(), NamedChoice{"0", 0});
  for (const symbolic::TakenStep& step : found.steps) {
    for (const std::uint64_t outcome : step.outcomes) {
      schedule.push_back({automata.thread_name(step.thread), static_cast<Outcome>(outcome)});
    }
  }
  return schedule;
}

std::vector<std::string> inputs_of(const ProgramAutomata& automata, const Counterexample& found) {
  std::vector<std::string> inputs;
  for (const symbolic::TakenStep& step : found.steps) {
    const std::string path = automata.thread_name(step.thread);
    for (const symbolic::ChosenInput& input : step.inputs) {
      inputs.push_back(
          fmt::format("{}: {} = {}", path == "0" ? "main" : "thread " + path.substr(2), input.name, input.value));
    }
  }
  return inputs;
}

struct Expectation {
  FindingKind kind = FindingKind::Assertion;
  std::string message;
  Location location;
};

Expectation expectation_of(const ProgramAutomata& automata, const Counterexample& found) {
  if (found.fault == Fault::Deadlock) return {FindingKind::Deadlock, "no thread can run", {}};
  if (found.fault == Fault::DataRace) return {FindingKind::DataRace, "two accesses may happen at once", {}};
  const symbolic::Failure& failure = automata.failure(found.failure);
  return {failure.kind, failure.message, {failure.file, failure.line, failure.function}};
}

// Whether what the native engine found is what was expected. A bad access shows in several ways, and one that races may
// show as anything else that goes wrong.
bool agrees(FindingKind expected, const std::string& found) {
  const auto is = [&](FindingKind kind) { return found == text(kind); };
  const bool memory = is(FindingKind::Crash) || is(FindingKind::OutOfBounds) || is(FindingKind::UseAfterFree) ||
                      is(FindingKind::DoubleFree) || is(FindingKind::DataRace);
  switch (expected) {
    case FindingKind::DataRace: return true;
    case FindingKind::Crash:
    case FindingKind::DoubleFree: return memory;
    default: return is(expected) || is(FindingKind::DataRace);
  }
}

json steps_of(const ProgramAutomata& automata, const Counterexample& found) {
  json steps = json::array();
  for (const symbolic::TakenStep& step : found.steps) {
    steps.push_back({{"thread", automata.thread_name(step.thread)}, {"step", step.label}, {"outcomes", step.outcomes}});
  }
  return steps;
}

// The engines disagree: a defect of ours. Both traces are kept for whoever looks into it.
[[noreturn]] void report_mismatch(const ProgramAutomata& automata, const Counterexample& found,
                                  const Expectation& expected, const std::string& schedule,
                                  const WorkerOutcome& outcome) {
  const fs::path folder = cache_directory() / "mismatches";
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path file = folder / fmt::format("{}.json", ::getpid());
  const json kept{{"expected", std::string(text(expected.kind)) + ": " + expected.message},
                  {"location", fmt::format("{}:{}", expected.location.file, expected.location.line)},
                  {"schedule", schedule},
                  {"symbolic", steps_of(automata, found)},
                  {"native", outcome.messages}};
  std::ofstream(file) << kept.dump(2) << "\n";
  throw std::runtime_error(fmt::format(
      "the symbolic search found \"{}: {}\" at {}:{}, which the native engine does not show; both traces are in {}",
      text(expected.kind), expected.message, expected.location.file, expected.location.line, file.string()));
}

WorkerOutcome replay_natively(const SymbolicTarget& target, const CheckOptions& replaying) {
  BuildRequest request{target.sources, words_of(replaying.cflags)};
  return run_worker({.program = fs::absolute(build_program(request)),
                     .arguments = target.arguments,
                     .configuration = replaying.configuration,
                     .step_timeout = std::chrono::milliseconds(10'000)});
}

// A finding that the native engine cannot show, for a reason that is said.
ReportedFinding unconfirmed(const ProgramAutomata& automata, const Counterexample& found, FindingKind kind,
                            const Expectation& expected, const std::string& schedule, const char* why) {
  ReportedFinding finding;
  finding.kind = text(kind);
  finding.message = expected.message;
  if (found.fault == Fault::DataRace) {
    finding.message += ": " + found.steps[found.steps.size() - 2].label + " and " + found.steps.back().label;
  }
  finding.message += fmt::format(" ({})", why);
  if (!found.threads.empty()) finding.thread = automata.thread_name(found.threads.front());
  finding.location = expected.location;
  finding.schedule = schedule;
  return finding;
}

// Whether the native engine took the schedule up to its end, whatever the program did then.
bool was_followed(const json* replayed) {
  return replayed != nullptr && (!replayed->contains("divergence") ||
                                 replayed->at("divergence").get<std::string>().find("goes on") != std::string::npos);
}

enum class Confirmed : std::uint8_t { Yes, ShownOtherwise, RestsOnClocks };

// Replays the counterexample natively; the finding is then the native engine's.
Confirmed confirm(Result& result, const ProgramAutomata& automata, const Counterexample& found,
                  const SymbolicTarget& target, const CheckOptions& options) {
  const Expectation expected = expectation_of(automata, found);
  std::vector<NamedChoice> schedule = native_schedule(automata, found);
  CheckOptions replaying = options;
  replaying.configuration.replay = true;
  replaying.configuration.schedule = to_text(schedule);
  WorkerOutcome outcome = replay_natively(target, replaying);
  Result native = assemble(outcome, replaying);
  if (native.findings.empty() && !schedule.empty() && expected.kind == FindingKind::LockMisuse) {
    // Some misuse shows when the operation is performed or, if it was wrong before, already when its thread arrives.
    schedule.pop_back();
    replaying.configuration.schedule = to_text(schedule);
    outcome = replay_natively(target, replaying);
    native = assemble(outcome, replaying);
  }
  if (native.findings.empty() && !found.steps.empty() && expected.kind == FindingKind::Crash) {
    // An operation on a lock or a condition variable that is gone fails when it is performed, which comes next.
    CheckOptions longer = replaying;
    std::vector<NamedChoice> performed = schedule;
    performed.push_back({automata.thread_name(found.steps.back().thread), 0});
    longer.configuration.schedule = to_text(performed);
    WorkerOutcome later = replay_natively(target, longer);
    if (Result shows = assemble(later, longer); !shows.findings.empty()) {
      native = std::move(shows);
      outcome = std::move(later);
    }
  }
  const json* replayed = find_message(outcome, "replayed");
  const bool shown = !native.findings.empty() && agrees(expected.kind, native.findings.front().kind);
  if (shown) {
    result.findings.push_back(native.findings.front());
  } else if (native.findings.empty() && expected.kind == FindingKind::Crash && was_followed(replayed)) {
    // Bounds of global and local variables are beyond what the native engine checks.
    result.findings.push_back(unconfirmed(automata, found, FindingKind::OutOfBounds, expected,
                                          replaying.configuration.schedule,
                                          "the native engine follows the schedule, but does not check this object"));
  } else if (native.findings.empty() && expected.kind == FindingKind::DataRace && automata.passes_structures() &&
             was_followed(replayed)) {
    result.findings.push_back(unconfirmed(automata, found, expected.kind, expected, replaying.configuration.schedule,
                                          "the native engine follows the schedule, but does not see that a structure "
                                          "is read which is passed by value"));
  } else if (native.findings.empty() && replayed == nullptr && outcome.end == WorkerEnd::Killed) {
    result.findings.push_back(
        unconfirmed(automata, found, expected.kind, expected, replaying.configuration.schedule,
                    "the native engine cannot follow the schedule: a thread runs on without a visible operation"));
  } else if (native.findings.empty() && automata.reads_clocks()) {
    return Confirmed::RestsOnClocks;
  } else {
    report_mismatch(automata, found, expected, replaying.configuration.schedule, outcome);
  }
  result.findings.back().inputs = inputs_of(automata, found);
  return shown ? Confirmed::Yes : Confirmed::ShownOtherwise;
}

void judge(Result& result, const ProgramAutomata& automata, const CheckResult& checked, const SymbolicTarget& target,
           const CheckOptions& options) {
  const std::size_t steps = options.symbolic.steps;
  result.coverage.kind = checked.outcome == symbolic::Outcome::Complete ? "all-schedules" : "steps-bound";
  if (checked.outcome != symbolic::Outcome::Complete) result.coverage.details["bound"] = steps;
  switch (checked.outcome) {
    case symbolic::Outcome::Complete:
      result.verdict = Verdict::Verified;
      result.coverage.statement = fmt::format(
          "no bug for any input, in all interleavings under sequential consistency (no execution has more than {} "
          "steps)",
          checked.depth);
      return;
    case symbolic::Outcome::Bounded:
      result.verdict = Verdict::Verified;
      result.coverage.statement = fmt::format(
          "no bug for any input in the first {} steps of all interleavings; longer executions exist (--steps)", steps);
      return;
    case symbolic::Outcome::OutOfTime:
      result.verdict = Verdict::Incomplete;
      result.reason = "the time budget ended the search (--max-time)";
      result.coverage.statement = fmt::format("no bug for any input in the first {} steps", checked.depth);
      return;
    case symbolic::Outcome::Failed: break;
  }
  const Counterexample& found = *checked.counterexample;
  if (found.fault == Fault::Failure && automata.failure(found.failure).unsupported) {
    const symbolic::Failure& failure = automata.failure(found.failure);
    result.verdict = Verdict::Unsupported;
    result.reason = failure.message;
    result.reason_location = {failure.file, failure.line, failure.function};
    result.coverage.statement = fmt::format("no bug for any input in the first {} steps", checked.depth);
    return;
  }
  const Confirmed confirmed = confirm(result, automata, found, target, options);
  if (confirmed == Confirmed::RestsOnClocks) {
    const Expectation expected = expectation_of(automata, found);
    result.verdict = Verdict::Unsupported;
    result.reason = fmt::format("a finding ({}) that rests on what clocks show when threads pass time on to each other",
                                expected.message);
    result.reason_location = expected.location;
    result.coverage.statement =
        fmt::format("no bug for any input in the first {} steps", std::max<std::size_t>(checked.depth, 1) - 1);
    return;
  }
  result.verdict = Verdict::Bug;
  result.coverage.statement =
      fmt::format("the search stopped at the first finding, after {} steps; {}", checked.depth,
                  confirmed == Confirmed::Yes ? "it was replayed natively" : "the native engine does not show it");
}

}  // namespace

Result check_symbolically(const SymbolicTarget& target, const CheckOptions& asked_for) {
  const Clock::time_point begin = Clock::now();
  CheckOptions options = asked_for;
  for (const std::string& file : {options.symbolic.smt_file, options.symbolic.independence_file}) {
    if (!file.empty()) write_text(file, "");  // that it cannot be written is to be said before the search
  }
  const Loaded loaded = load(target, options);
  ProgramAutomata* const automata = loaded.automata.get();
  // A time-out may be any step of an execution: so the native engine, which repeats it, must not hold one back.
  const auto steps = static_cast<std::uint32_t>(std::min<std::size_t>(options.symbolic.steps, 1'000'000));
  if (automata->times_out()) options.configuration.timeouts = std::max(options.configuration.timeouts, steps);
  SymbolicCheckpoints checkpoints(options, target.sources.front(), target.arguments, loaded.fingerprint);
  const std::unique_ptr<Solver> solver = symbolic::make_solver(automata->pool());
  if (solver == nullptr) {
    throw UserError("this heddle was built without Z3, which --symbolic needs (Debian: libz3-dev)");
  }
  const SymbolicOptions& wanted = options.symbolic;
  symbolic::CheckRequest request{.steps = wanted.steps,
                                 .unroll = {.peephole = wanted.peephole,
                                            .encoding = symbolic::Encoding::Dependent,
                                            .races = options.configuration.races.value_or(true),
                                            .wild = automata->wild()},
                                 .keep_formula = !wanted.smt_file.empty(),
                                 .keep_independence = !wanted.independence_file.empty(),
                                 .covered = checkpoints.covered(),
                                 .covered_one_more = [&](const auto& depths) { checkpoints.covered_one_more(depths); }};
  if (loaded.end != Clock::time_point::max()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(loaded.end - Clock::now());
    request.time = std::max(left, std::chrono::milliseconds(0));
  }
  CheckResult checked;
  bool interrupted = false;
  {
    const InterruptWatch watch([&] {
      automata->pool().stop();
      solver->interrupt();
    });
    checked = symbolic::bounded_check(*automata, *solver, request);
    interrupted = watch.interrupted();
  }
  if (!wanted.independence_file.empty()) write_text(wanted.independence_file, checked.independence);
  if (!wanted.smt_file.empty()) {
    const std::optional<bool> answer =
        checked.outcome == symbolic::Outcome::OutOfTime ? std::nullopt : std::optional<bool>(checked.satisfiable);
    write_text(wanted.smt_file, symbolic::to_smt_lib(automata->pool(), checked.formula, answer));
  }
  Result result;
  result.search = search_options(options);
  result.statistics_details["symbolic"] = figures(checked, *solver);
  result.statistics.threads = automata->thread_count();
  result.statistics.max_depth = checked.depth;
  for (const std::string& note : automata->notes()) result.coverage.not_modelled.push_back(note);
  judge(result, *automata, checked, target, options);
  if (checked.outcome == symbolic::Outcome::OutOfTime) {
    if (interrupted) result.reason = "interrupted";
    result.reason += checkpoints.cut_short(interrupted);
  }
  result.sources = read_sources(result);
  result.seconds = checkpoints.seconds() + std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace heddle
