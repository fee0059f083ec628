// `heddle replay`: repeats a finding of an earlier check, with the same program.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/assemble.hpp"
#include "cli/commands.hpp"
#include "cli/executable.hpp"
#include "cli/result_file.hpp"
#include "cli/supervisor.hpp"
#include "cli/toolchain.hpp"
#include "cli/user_error.hpp"
#include "report/console.hpp"

namespace heddle {
namespace {

using nlohmann::json;

struct ReplayOptions {
  std::string file;
  std::size_t finding = 1;
  bool show_output = false;
  std::string json_file;
};

std::optional<ReplayOptions> parse(const std::vector<std::string>& arguments) {
  ReplayOptions options;
  CLI::App app("Repeats a finding of an earlier check; exit status 1 when it shows again.", "heddle replay");
  app.add_option("result", options.file, "the file that heddle check --json=FILE wrote")->required();
  app.add_option("--finding", options.finding, "which of its findings, counted from 1")->capture_default_str();
  app.add_flag("--show-output", options.show_output, "let the program's output through");
  app.add_option("--json", options.json_file, "write the result of the replay to this file");
  std::vector<std::string> words(arguments.rbegin(), arguments.rend());
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw UserError(std::string(error.what()) + "; `heddle replay --help` lists the options");
  }
  return options;
}

json read_result(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw UserError(path + " is a folder, not a result file");
  std::ifstream file(path);
  if (!file) throw cannot("read", path);
  json result = json::parse(file, nullptr, false);
  if (result.is_discarded() || !result.is_object() || !result.contains("findings") || !result.contains("schema")) {
    throw UserError(path + " is not a result of heddle check --json");
  }
  if (result.at("schema") != 1)
    throw UserError(path + " was written by another version of Heddle, with another format");
  return result;
}

std::string executable_of(const json& result) {
  if (result.at("build").is_null()) {
    const std::string path = result.at("program");
    check_executable(path);
    return path;
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

int replay_finding(const ReplayOptions& options_wanted) {
  const ReplayOptions* const wanted = &options_wanted;
  const json result = read_result(wanted->file);
  const json& findings = result.at("findings");
  if (findings.empty()) throw UserError(wanted->file + " has no finding to replay");
  if (wanted->finding < 1 || wanted->finding > findings.size()) {
    throw UserError(
        fmt::format("{} has {} finding(s); there is no number {}", wanted->file, findings.size(), wanted->finding));
  }
  const json& finding = findings.at(wanted->finding - 1);
  const std::string schedule = finding.at("schedule");
  if (!schedule_from_text(schedule)) throw UserError("the schedule in " + wanted->file + " is damaged");
  CheckOptions options = options_of(result.at("search"));
  options.configuration.schedule = schedule;
  options.configuration.loop = finding.value("loop", std::uint64_t{0});
  options.configuration.show_output = wanted->show_output;
  const WorkerOutcome outcome = run_worker({.program = executable_of(result),
                                            .arguments = result.at("arguments").get<std::vector<std::string>>(),
                                            .configuration = options.configuration});
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
  again.verdict = again.findings.empty() ? Verdict::Verified : Verdict::Bug;
  again.reason.clear();
  again.coverage.statement = "replayed";
  if (!wanted->json_file.empty()) write_result_file(wanted->json_file, again);
  if (replayed != nullptr && again.findings.empty()) {
    fmt::print("the schedule was replayed, and the finding did not show\n");
    return kExitClean;
  }
  const bool colour = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  fmt::print("{}", to_console(again, {.colour = colour}));
  return kExitBug;
}

}  // namespace

int replay_result(const std::vector<std::string>& arguments) {
  const std::optional<ReplayOptions> wanted = parse(arguments);
  if (!wanted) return kExitClean;
  if (!wanted->json_file.empty()) check_result_file(wanted->json_file);
  try {
    return replay_finding(*wanted);
  } catch (const json::exception&) {
    throw UserError(wanted->file + " is damaged: a field is missing or of the wrong type");
  }
}

}  // namespace heddle
