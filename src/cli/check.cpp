// `heddle check`: builds the program if need be, explores it, reports.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "cli/assemble.hpp"
#include "cli/check_options.hpp"
#include "cli/commands.hpp"
#include "cli/executable.hpp"
#include "cli/installation.hpp"
#include "cli/report_files.hpp"
#include "cli/result_file.hpp"
#include "cli/static_analysis.hpp"
#include "cli/supervisor.hpp"
#include "cli/suppressions.hpp"
#include "cli/symbolic_check.hpp"
#include "cli/toolchain.hpp"
#include "cli/unseen_code.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Target {
  std::string executable;            // empty if it is not to be run
  std::vector<std::string> sources;  // empty if it was given as an executable
  std::string shown;                 // as the user named it
  std::vector<std::string> arguments;
  nlohmann::json build;
  std::string static_table;  // what an analysis of the sources says; empty if none was wanted
};

std::vector<std::string> split_blanks(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Whether the search needs an analysis of the sources.
bool is_analysed(const CheckOptions& options) {
  return options.configuration.search.reduction.kind == ReductionKind::Static;
}

// The program to check, built if it was given as sources: all leading words that are source files, up to `--`.
Target target_of(const CheckOptions& options) {
  Target target;
  const std::vector<std::string>& words = options.positional;
  auto word = words.begin();
  if (!is_source_file(*word)) {
    if (options.symbolic.wanted) throw UserError("--symbolic needs C or C++ sources, and " + *word + " is none");
    if (is_analysed(options)) throw UserError("--reduction=static needs C sources, and " + *word + " is none");
    target.executable = target.shown = *word++;
    check_executable(target.executable);
  } else {
    BuildRequest request;
    while (word != words.end() && *word != "--" && is_source_file(*word)) request.sources.push_back(*word++);
    request.options = split_blanks(options.cflags);
    target.shown = request.sources.front();
    target.sources = request.sources;
    if (!options.symbolic.wanted) target.executable = build_program(request);
    if (is_analysed(options)) {
      target.static_table = analyse_statically(target.sources, target.executable, options.cflags);
    }
    std::vector<std::string> sources;
    for (const std::string& source : request.sources) sources.push_back(fs::absolute(source));
    target.build = {{"sources", sources}, {"cflags", options.cflags}};
    for (const auto& [variable, field] : {std::pair{"HEDDLE_CC", "cc"}, std::pair{"HEDDLE_CXX", "cxx"}}) {
      if (const char* compiler = std::getenv(variable)) target.build[field] = compiler;
    }
  }
  if (word != words.end() && *word == "--") ++word;
  target.arguments.assign(word, words.end());
  return target;
}

int exit_status(const Result& result) {
  switch (result.verdict) {
    case Verdict::Verified: return kExitClean;
    case Verdict::Bug: return kExitBug;
    case Verdict::Incomplete: return result.as_asked ? kExitClean : kExitIncomplete;
    case Verdict::Unsupported: return kExitUnsupported;
  }
  return kExitInternal;
}

WorkerOutcome explore(const Target& target, CheckOptions& options, const Checkpoints& checkpoints) {
  WorkerRun run{.program = fs::absolute(target.executable),
                .arguments = target.arguments,
                .configuration = options.configuration,
                .step_timeout = std::chrono::milliseconds(static_cast<long>(options.step_timeout * 1000)),
                .progress = options.progress,
                .static_table = target.static_table};
  checkpoints.prepare(run);
  WorkerOutcome outcome = run_worker(run);
  options.configuration = run.configuration;
  const nlohmann::json* isolate = find_message(outcome, "isolate");
  if (isolate != nullptr && options.isolate == "auto") {
    fmt::print(stderr, "heddle: {}: exploring again with a fresh process for each execution (--isolate=fork)\n",
               (*isolate)["reason"].get<std::string>());
    options.configuration.fork = run.configuration.fork = true;
    run.resume.reset();
    outcome = run_worker(run);
  } else if (isolate != nullptr) {
    throw UserError((*isolate)["reason"].get<std::string>() +
                    ", which --isolate=memory cannot put back; use --isolate=fork");
  }
  if (const nlohmann::json* unreduced = find_message(outcome, "unreduced")) {
    fmt::print(stderr,
               "heddle: {} was compiled without instrumentation and synchronises threads: exploring again without a "
               "reduction (--reduction=none){}\n",
               (*unreduced)["library"].get<std::string>(),
               options.configuration.races.value_or(!options.configuration.visible_all)
                   ? "; it may order accesses unseen, and what is reported as a data race may be none (--races=off)"
                   : "");
    SearchRequest& search = options.configuration.search;
    search.reduction.kind = ReductionKind::None;
    search.states.reduction = StateReduction::None;
    if (search.mode == SearchMode::Portfolio) search.mode = SearchMode::Reduction;
    run.configuration = options.configuration;
    run.resume.reset();
    outcome = run_worker(run);
  }
  return outcome;
}

// By something that it can be resumed after.
bool was_cut_short(const WorkerOutcome& outcome) {
  const nlohmann::json* done = find_message(outcome, "done");
  if (done == nullptr) return true;
  const std::string ended = (*done)["ended"];
  return ended == "executions" || ended == "time" || ended == "interrupted";
}

Result check_natively(const Target& target, CheckOptions& options, const Suppressions& suppressions) {
  const Checkpoints checkpoints(options.checkpoint, {.program = target.shown,
                                                     .executable = target.executable,
                                                     .arguments = target.arguments,
                                                     .configuration = options.configuration});
  const WorkerOutcome outcome = explore(target, options, checkpoints);
  if (const nlohmann::json* broken = find_message(outcome, "broken")) {
    throw std::runtime_error((*broken)["text"].get<std::string>());
  }
  if (const nlohmann::json* unreached = find_message(outcome, "unreached")) {
    throw UserError(fmt::format("{} ({})", (*unreached)["text"].get<std::string>(), options.configuration.at));
  }
  if (!outcome.ready) throw UserError(why_not_started(target.executable, outcome, !options.configuration.at.empty()));
  if (find_message(outcome, "unresumable") != nullptr) {
    throw UserError(options.checkpoint.resume +
                    " cannot be resumed: the program does not do what it did then (in another environment, or with "
                    "other libraries?)");
  }
  Result result = assemble(outcome, options);
  if (outcome.kept && result.verdict == Verdict::Incomplete && was_cut_short(outcome)) {
    result.reason += fmt::format("; --resume={} goes on from there", checkpoints.file());
  }
  describe_unseen_code(result, outcome.messages, target.executable, suppressions);
  return result;
}

}  // namespace

int check(const std::vector<std::string>& arguments) {
  std::optional<CheckOptions> options = parse_check_options(arguments);
  if (!options) return kExitClean;
  check_report_files(options->files);
  const Suppressions suppressions =
      options->suppressions_file.empty() ? Suppressions() : Suppressions(options->suppressions_file);
  if (is_analysed(*options)) {
    options->cflags = options_for_analysis(options->cflags);
    ::setenv("HEDDLE_CC", "clang-19", 1);
  }
  if (options->symbolic.wanted) {
    // The counterexample is replayed on the program that the solver sees: not optimised, and with clang's headers
    // (gcc's make initialisations of atomics into atomic stores).
    options->cflags = "-O0 " + options->cflags;
    ::setenv("HEDDLE_CC", "clang-19", 1);
    ::setenv("HEDDLE_CXX", "clang++-19", 1);
  }
  const Target target = target_of(*options);
  const std::string began = now_text();
  Result result = options->symbolic.wanted ? check_symbolically({target.sources, target.arguments}, *options)
                                           : check_natively(target, *options, suppressions);
  result.program =
      target.build.is_null() ? fs::absolute(target.executable).string() : fs::absolute(target.shown).string();
  result.arguments = target.arguments;
  result.build = target.build;
  result.began = began;
  const int status = write_report_files(options->files, result, exit_status(result));
  print_result(result);
  return status;
}

}  // namespace heddle
