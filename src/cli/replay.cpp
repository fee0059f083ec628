// `heddle replay`: repeats a finding of an earlier check, with the same program.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "cli/assemble.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/debugger.hpp"
#include "cli/executable.hpp"
#include "cli/finding_reader.hpp"
#include "cli/report_files.hpp"
#include "cli/result_file.hpp"
#include "cli/supervisor.hpp"
#include "cli/toolchain.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

using nlohmann::json;

struct ReplayOptions {
  ChosenFinding finding;
  std::size_t until = 0;
  bool gdb = false;
  bool show_output = false;
  ReportFiles files;
};

std::optional<ReplayOptions> parse(const std::vector<std::string>& arguments) {
  ReplayOptions options;
  CLI::App app("Repeats a finding of an earlier check; exit status 1 when it shows again.", "heddle replay");
  options.finding.add_to(app, "which of its findings, counted from 1");
  app.add_flag("--show-output", options.show_output, "let the program's output through");
  app.add_option("--until", options.until, "stop after so many steps, and say where every thread is")
      ->check(whole_number(1));
  app.add_flag("--gdb", options.gdb, "under gdb, which stops at the failure; heddle-next and heddle-back step");
  add_report_options(app, options.files);
  if (!parse_words(app, arguments)) return std::nullopt;
  return options;
}

std::string executable_of(const json& result) {
  if (result.at("build").is_null()) {
    const std::string path = result.at("program");
    check_executable(path);
    return path;
  }
  // With the compilers it was built with, unless others are asked for.
  for (const auto& [variable, field] : {std::pair{"HEDDLE_CC", "cc"}, std::pair{"HEDDLE_CXX", "cxx"}}) {
    const std::string compiler = result.at("build").value(field, "");
    if (!compiler.empty()) ::setenv(variable, compiler.c_str(), 0);
  }
  BuildRequest request;
  request.sources = result.at("build").at("sources").get<std::vector<std::string>>();
  if (request.sources.empty()) throw UserError("the result names no sources to build the program from");
  std::istringstream flags(result.at("build").at("cflags").get<std::string>());
  request.options = {std::istream_iterator<std::string>(flags), {}};
  return build_program(request);
}

// The program's world as it was in the check.
CheckOptions options_of(const json& search) {
  CheckOptions options;
  WorkerConfiguration& c = options.configuration;
  c.visible_all = search.at("visible") == "all";
  c.races = search.at("races").get<bool>();
  c.timeouts = search.at("timeouts");
  c.spurious_wakeups = search.at("spurious_wakeups");
  c.weak_cas_failures = search.value("weak_cas_failures", 0U);
  c.allocation_failures = search.value("alloc_failures", 0U);
  c.reuse_heap = search.at("heap") == "reuse";
  c.heap_limit = search.at("heap_limit_mib").get<std::uint64_t>() << 20U;
  c.seed = search.at("seed");
  c.at = search.value("at", "");
  c.results_before = search.value("results_before", "");
  if (search.value("stateful", false)) c.search.mode = SearchMode::States;
  c.replay = true;
  return options;
}

// What made the difference was found out by the check, which ran other executions for it.
void explain_as_before(ReportedFinding& again, const ReportedFinding& before) {
  if (again.events.size() != before.events.size()) return;
  again.decisive = before.decisive;
  again.minimised = before.minimised;
}

WorkerConfiguration stopping_after(std::size_t steps, WorkerConfiguration configuration) {
  std::vector<NamedChoice> schedule = *schedule_from_text(configuration.schedule);
  schedule.resize(std::min(steps, schedule.size()));
  configuration.schedule = to_text(schedule);
  configuration.stop_on_way = true;
  return configuration;
}

int replay_finding(const ReplayOptions& wanted) {
  const std::string& file = wanted.finding.file;
  const json result = read_result_file(file);
  const json& findings = result.at("findings");
  if (findings.empty()) throw UserError(file + " has no finding to replay");
  wanted.finding.check(findings.size());
  const json& finding = findings.at(wanted.finding.number - 1);
  const std::string schedule = finding.at("schedule");
  if (!schedule_from_text(schedule)) throw UserError("the schedule in " + file + " is damaged");
  CheckOptions options = options_of(result.at("search"));
  options.configuration.schedule = schedule;
  options.configuration.loop = finding.value("loop", std::uint64_t{0});
  options.configuration.show_output = wanted.show_output;
  const std::size_t steps = schedule_from_text(schedule)->size();
  if (wanted.until > steps) {
    throw UserError(fmt::format("--until={}: the schedule has only {} steps", wanted.until, steps));
  }
  if (wanted.until > 0 && !wanted.gdb) options.configuration = stopping_after(wanted.until, options.configuration);
  const WorkerRun run{.program = executable_of(result),
                      .arguments = result.at("arguments").get<std::vector<std::string>>(),
                      .configuration = options.configuration};
  if (wanted.gdb) debug_replay(run, steps, wanted.until);
  const std::string began = now_text();
  const WorkerOutcome outcome = run_worker(run);
  if (const json* stopped = find_message(outcome, "stopped")) {
    fmt::print("stopped after step {} of {}\n\n", wanted.until, steps);
    print_stop(FindingReader(outcome.messages).read(*stopped));
    return kExitClean;
  }
  if (const json* unreached = find_message(outcome, "unreached")) {
    throw UserError(unreached->at("text").get<std::string>() + ". Was the program changed since the check?");
  }
  const json* replayed = find_message(outcome, "replayed");
  if (replayed != nullptr && replayed->contains("divergence")) {
    throw UserError("the schedule does not fit this program: " + replayed->at("divergence").get<std::string>() +
                    ". Was the program changed since the check?");
  }
  Result again = assemble(outcome, options);
  again.program = result.at("program");
  again.arguments = result.at("arguments").get<std::vector<std::string>>();
  again.build = result.at("build");
  again.began = began;
  if (!again.findings.empty())
    explain_as_before(again.findings.front(), result_from_json(result).findings.at(wanted.finding.number - 1));
  again.verdict = again.findings.empty() ? Verdict::Verified : Verdict::Bug;
  again.reason.clear();
  again.coverage.statement = "replayed";
  const bool shown = replayed == nullptr || !again.findings.empty();
  const int status = write_report_files(wanted.files, again, shown ? kExitBug : kExitClean);
  if (shown) {
    print_result(again);
  } else {
    fmt::print("the schedule was replayed, and the finding did not show\n");
  }
  return status;
}

}  // namespace

int replay_result(const std::vector<std::string>& arguments) {
  const std::optional<ReplayOptions> wanted = parse(arguments);
  if (!wanted) return kExitClean;
  check_report_files(wanted->files);
  try {
    return replay_finding(*wanted);
  } catch (const json::exception&) {
    throw UserError(wanted->finding.file + " is damaged: a field is missing or of the wrong type");
  }
}

}  // namespace heddle
