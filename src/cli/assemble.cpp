#include "cli/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "cli/coverage.hpp"
#include "cli/finding_reader.hpp"
#include "report/sources.hpp"

namespace heddle {
namespace {

using nlohmann::json;

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

// The worker ended without saying how the search stands.
void judge_death(Result& result, const WorkerOutcome& outcome, const CheckOptions& options) {
  if (outcome.end == WorkerEnd::Killed) {
    result.verdict = result.findings.empty() ? Verdict::Incomplete : Verdict::Bug;
    result.reason = outcome.interrupted
                        ? "interrupted"
                        : fmt::format(
                              "the program did nothing visible for {} s and could not be stopped otherwise than by "
                              "ending its process; it may be waiting outside Heddle's control",
                              options.step_timeout);
    return;
  }
  if (outcome.end == WorkerEnd::Exited) {
    result.verdict = Verdict::Incomplete;
    result.reason = fmt::format("the program's process ended with status {} behind Heddle's back", outcome.status);
    return;
  }
  ReportedFinding finding;
  finding.kind = text(FindingKind::Crash);
  finding.message =
      fmt::format("the program's process died of {} in a way that could not be contained", signal_text(outcome.status));
  if (outcome.status == SIGKILL) finding.message += " (out of memory?)";
  finding.thread = "0";
  finding.schedule = outcome.schedule;
  if (options.configuration.search.mode == SearchMode::States) {
    finding.message += "; a search over states does not keep the way there: check without --stateful to see it";
  }
  result.findings.push_back(std::move(finding));
  result.verdict = Verdict::Bug;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
  return bytes % (1024 * kMebibyte) == 0 ? fmt::format("{} GiB", bytes / (1024 * kMebibyte))
                                         : fmt::format("{} MiB", bytes / kMebibyte);
}

// Why the search did not do all that it was asked for; empty if it did.
std::string why_unfinished(const json& done, const CheckOptions& options, bool interrupted) {
  const std::string ended = done["ended"];
  const Budget& budget = options.configuration.search.explore.budget;
  if (ended == "complete") {
    return done.value("gave_up", false)
               ? "a thread that ran on without a visible operation was given up: what it would have done is not covered"
               : "";
  }
  if (ended == "states") {
    return fmt::format(
        "the search needs more than {} states in memory (--max-states); a smaller bound needs fewer, and --sample none",
        options.configuration.search.bound.most_states);
  }
  if (ended == "memory") {
    return fmt::format(
        "the states take more than the {} of memory allowed (--max-memory); --state-hash-only needs less for each, and "
        "--reduction=cartesian fewer of them",
        size_text(options.configuration.search.states.store.max_memory));
  }
  if (ended == "worker-died") {
    return "one of the processes of the search died (out of memory?): what it had to do is not covered";
  }
  if (ended == "unseen") {
    return "threads touch the same memory inside a library that Heddle cannot see into, so Cartesian reduction leaves "
           "too much out; --stateful --reduction=none does not rely on what it sees";
  }
  if (ended == "executions") {
    return fmt::format("the budget of {} executions ended the search (--max-executions)", budget.max_executions);
  }
  if (ended == "steps")
    return fmt::format("some executions were cut off after {} steps (--max-steps)", budget.max_steps);
  if (interrupted) return "interrupted";
  return fmt::format("the time budget ended the search ({})",
                     options.configuration.search.mode == SearchMode::Portfolio ? "--budget" : "--max-time");
}

void judge_end(Result& result, const json& done, const CheckOptions& options, bool interrupted) {
  const bool sampled = options.configuration.search.mode == SearchMode::Sample;
  const std::string unfinished = why_unfinished(done, options, interrupted);
  if (!result.findings.empty()) {
    result.verdict = Verdict::Bug;
    if (done["ended"] == "finding") {
      result.coverage.statement = "the search stopped at the first finding (--keep-going explores on)";
    } else if (!unfinished.empty()) {
      result.coverage.statement = "the search was not finished: " + unfinished;
    } else if (!sampled) {
      result.coverage.statement = "the search was finished";
    }
    return;
  }
  result.reason = unfinished;
  result.verdict = unfinished.empty() && !sampled ? Verdict::Verified : Verdict::Incomplete;
  if (unfinished.empty() && sampled) {
    result.reason = "no bug in the sample, which proves nothing about the rest";
    result.as_asked = true;
  }
}

// Processes that search together may have met the same things.
void add_note(Result& result, const std::string& text) {
  std::vector<std::string>& notes = result.coverage.not_modelled;
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
}

// The worker's last message, with what others that searched with it have met; null if it died before.
json end_of(const WorkerOutcome& outcome) {
  const json* done = find_message(outcome, "done");
  if (done == nullptr) return nullptr;
  json end = *done;
  for (const json& message : outcome.messages) {
    if (message["type"] != "met") continue;
    for (const auto& [name, value] : message.items()) {
      if (value.is_boolean()) end[name] = end.value(name, false) || value.get<bool>();
    }
  }
  return end;
}

}  // namespace

const json* find_message(const WorkerOutcome& outcome, const char* type) {
  for (const json& message : outcome.messages) {
    if (message["type"] == type) return &message;
  }
  return nullptr;
}

Result assemble(const WorkerOutcome& outcome, const CheckOptions& options) {
  Result result;
  result.search = search_options(options);
  result.seconds = outcome.seconds;
  result.peak_rss_kib = outcome.peak_rss_kib;
  result.statistics = outcome.statistics;
  FindingReader reader(outcome.messages);
  for (const json& message : outcome.messages) {
    const std::string type = message["type"];
    if (type == "finding") result.findings.push_back(reader.read(message));
    if (type == "minimised") {
      ReportedFinding& finding = result.findings.at(message["number"].get<std::size_t>());
      if (ReportedFinding smaller = reader.smaller(message, finding); smaller.minimised) finding = std::move(smaller);
    }
    if (type == "explained") {
      ReportedFinding& finding = result.findings.at(message["number"].get<std::size_t>());
      const bool told = finding.schedule == message["schedule"] &&
                        message["decisive"]["first"].get<std::size_t>() < finding.events.size();
      if (told) finding.decisive = reader.decisive(message["decisive"], finding);
    }
    if (type == "warning") {
      ReportedFinding warning = reader.read(message);
      bool known = false;
      for (const ReportedFinding& other : result.warnings) {
        known = known || (other.kind == warning.kind && other.location.file == warning.location.file &&
                          other.location.line == warning.location.line);
      }
      if (!known) result.warnings.push_back(std::move(warning));
    }
    if (type == "note") add_note(result, message["text"]);
  }
  const json end = end_of(outcome);
  const json* done = end.is_null() ? nullptr : &end;
  result.exploration.samples = outcome.samples;
  if (done != nullptr) {
    result.exploration.branches = (*done)["branches"].get<std::vector<std::uint64_t>>();
    const json& s = (*done)["statistics"];
    result.statistics = {s["executions"], s["blocked"], s["abandoned"], s["events"],   s["replayed"],
                         s["max_depth"],  s["threads"], s["states"],    s["failures"], s["transitions"]};
  }
  if (const json* refusal = find_message(outcome, "refusal")) {
    result.reason = (*refusal)["text"];
    result.reason_location = reader.locate((*refusal)["stack"]);
    const bool limit = (*refusal)["limit"];
    result.verdict = !result.findings.empty() ? Verdict::Bug : limit ? Verdict::Incomplete : Verdict::Unsupported;
  } else if (done != nullptr) {
    judge_end(result, *done, options, outcome.interrupted);
  } else {
    judge_death(result, outcome, options);
  }
  describe_coverage(result, done, options);
  result.sources = read_sources(result);
  return result;
}

}  // namespace heddle
