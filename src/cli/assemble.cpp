#include "cli/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "cli/coverage.hpp"

namespace heddle {
namespace {

using nlohmann::json;

std::vector<LoadedModule> modules_of(const std::vector<json>& messages) {
  std::vector<LoadedModule> modules;
  for (const json& message : messages) {
    if (message["type"] != "modules") continue;
    for (const json& module : message["modules"]) {
      modules.push_back({module["file"], module["begin"], module["end"], module["offset"]});
    }
  }
  return modules;
}

// What kind of thing a blocked operation waits at.
std::string noun(const std::string& kind) {
  if (kind.starts_with("Mutex")) return "mutex";
  if (kind.starts_with("Rw")) return "rwlock";
  if (kind.starts_with("Sem")) return "semaphore";
  if (kind.starts_with("Cond")) return "condition variable";
  if (kind.starts_with("Barrier")) return "barrier";
  if (kind.starts_with("Futex")) return "futex";
  if (kind.starts_with("Once")) return "initialisation of";
  return "";
}

bool shows_value(const std::string& kind) {
  return kind == "Load" || kind == "Store" || kind == "Rmw" || kind == "Cas" || kind == "CasFail";
}

std::string thread_text(const std::string& path) { return path == "0" ? "main" : "thread " + path.substr(2); }

std::string waits_text(const json& message, const std::string& object) {
  const std::string kind = message["kind"];
  std::string text;
  if (message.contains("other")) {
    text = "waits for the end of " + thread_text(message["other"]);
  } else if (kind == "Unknown") {
    return "runs on without a visible operation";
  } else if (kind == "ChannelRead") {
    return "waits for something to read from a pipe or eventfd";
  } else if (kind == "Poll" || kind == "ChannelLook") {
    return "waits for descriptors";
  } else if (kind == "SignalWait") {
    return "waits for a signal";
  } else if (noun(kind).empty()) {
    return fmt::format("is at a {}", message["waits"].get<std::string>());
  } else {
    text = fmt::format("waits for {} {}", noun(kind), object);
  }
  if (message.contains("held_by")) {
    text += ", held by ";
    for (std::size_t i = 0; i < message["held_by"].size(); ++i) {
      text += (i > 0 ? ", " : "") + thread_text(message["held_by"][i]["thread"]);
    }
  }
  return text;
}

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

void judge_end(Result& result, const json& done, const CheckOptions& options, bool interrupted) {
  const std::string ended = done["ended"];
  if (!result.findings.empty()) {
    result.verdict = Verdict::Bug;
    result.coverage.statement = ended == "finding"
                                    ? "the search stopped at the first finding (--keep-going explores on)"
                                    : "the search was finished";
    return;
  }
  const Budget& budget = options.configuration.search.explore.budget;
  const SearchMode mode = options.configuration.search.mode;
  const bool sampled = mode == SearchMode::Sample;
  const char* const time_option = mode == SearchMode::Portfolio ? "--budget" : "--max-time";
  if (ended == "complete" && !sampled && !done.value("gave_up", false)) {
    result.verdict = Verdict::Verified;
    return;
  }
  result.verdict = Verdict::Incomplete;
  if (ended == "complete" && sampled && !done.value("gave_up", false)) {
    result.reason = "no bug in the sample, which proves nothing about the rest";
    result.as_asked = true;
  } else if (ended == "complete") {
    result.reason =
        "a thread that ran on without a visible operation was given up: what it would have done is not covered";
  } else if (ended == "states") {
    result.reason = fmt::format(
        "the search needs more than {} states in memory (--max-states); a smaller bound needs fewer, and --sample none",
        options.configuration.search.bound.most_states);
  } else if (ended == "memory") {
    result.reason = fmt::format(
        "the states take more than the {} of memory allowed (--max-memory); --state-hash-only needs less for each, and "
        "--reduction=cartesian fewer of them",
        size_text(options.configuration.search.states.store.max_memory));
  } else if (ended == "worker-died") {
    result.reason = "one of the processes of the search died (out of memory?): what it had to do is not covered";
  } else if (ended == "executions") {
    result.reason =
        fmt::format("the budget of {} executions ended the search (--max-executions)", budget.max_executions);
  } else if (ended == "steps") {
    result.reason = fmt::format("some executions were cut off after {} steps (--max-steps)", budget.max_steps);
  } else if (interrupted) {
    result.reason = "interrupted";
  } else {
    result.reason = fmt::format("the time budget ended the search ({})", time_option);
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

FindingReader::FindingReader(const std::vector<json>& messages) : symbolizer_(modules_of(messages)) {}

std::vector<Frame> FindingReader::stack(const json& addresses) {
  std::vector<Frame> frames;
  for (const json& address : addresses) {
    for (const Frame& frame : symbolizer_.frames(address.get<std::uint64_t>())) {
      if (frame.module.find("libheddle_rt") == std::string::npos) frames.push_back(frame);
    }
  }
  return frames;
}

Location FindingReader::locate(const json& addresses) { return location_of(stack(addresses)); }

std::string FindingReader::object_name(const json& object) {
  const auto address = object.get<std::uint64_t>();
  if (address == 0) return "";
  const std::string variable = symbolizer_.variable(address);
  return variable.empty() ? fmt::format("{:#x}", address) : variable;
}

Involved FindingReader::involved(const json& message) {
  Involved other;
  other.thread = message["thread"];
  other.stack = stack(message["stack"]);
  other.location = location_of(other.stack);
  if (message.contains("waits")) {
    other.text = waits_text(message, object_name(message["object"]));
  } else {
    other.text = "earlier " + message["did"].get<std::string>() + " of this memory";
  }
  return other;
}

ReportedFinding FindingReader::read(const json& message) {
  ReportedFinding finding;
  finding.kind = message["kind"];
  finding.message = message["message"];
  finding.thread = message.value("thread", "0");
  finding.schedule = message.value("schedule", "");
  finding.output = message.value("output", "");
  finding.loop = message.value("loop", std::uint64_t{0});
  if (message.contains("stack")) finding.stack = stack(message["stack"]);
  finding.location = location_of(finding.stack);
  if (message.contains("memory") && finding.kind == text(FindingKind::DataRace)) {
    if (const std::string name = object_name(message["memory"]); !name.empty()) finding.message += " (" + name + ")";
  }
  for (const json& other : message.value("involved", json::array())) finding.involved.push_back(involved(other));
  for (const json& raw : message.value("events", json::array())) {
    ReportedEvent event;
    event.thread = raw["thread"];
    event.kind = raw["kind"];
    event.text = raw["text"];
    event.object = object_name(raw["object"]);
    event.value = raw["value"];
    event.has_value = shows_value(event.kind) && !raw.value("plain", false);
    event.outcome = raw["outcome"];
    event.other = raw.value("other", "");
    event.location = locate(raw["stack"]);
    finding.events.push_back(std::move(event));
  }
  // Whoever is blocked has no failing call: the finding is where the first of them waits, main's join last.
  const bool stuck = finding.kind == text(FindingKind::Deadlock) || finding.kind == text(FindingKind::NoProgress);
  if (stuck && finding.kind == text(FindingKind::Deadlock)) {
    finding.stack.clear();
    finding.location = {};
    for (const bool joins : {false, true}) {
      for (const Involved& other : finding.involved) {
        const bool is_join = other.text.starts_with("waits for the end");
        if (!finding.location.known() && is_join == joins) finding.location = other.location;
      }
    }
  }
  return finding;
}

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
  if (done != nullptr) {
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
  return result;
}

}  // namespace heddle
