// Results read back from their JSON form. What a later version adds is passed over; optional fields may be missing.
#include <algorithm>

#include "report/result.hpp"

namespace heddle {
namespace {

using nlohmann::json;

Location location_from(const json& value) {
  if (value.is_null()) return {};
  return {value.at("file"), value.at("line"), value.at("function")};
}

std::vector<Frame> stack_from(const json& value) {
  std::vector<Frame> stack;
  for (const json& frame : value) {
    stack.push_back({.file = frame.at("file"),
                     .line = frame.at("line"),
                     .function = frame.at("function"),
                     .module = frame.at("module"),
                     .in_program = frame.value("in_program", false)});
  }
  return stack;
}

template <typename T, typename Read>
std::vector<T> list_from(const json& object, const char* name, Read read) {
  std::vector<T> list;
  if (!object.contains(name)) return list;
  for (const json& value : object.at(name)) list.push_back(read(value));
  return list;
}

Involved involved_from(const json& value) {
  Involved other;
  other.thread = value.at("thread");
  other.text = value.at("text");
  other.object = value.value("object", "");
  other.joins = value.value("joins", "");
  other.location = location_from(value.at("location"));
  other.stack = stack_from(value.at("stack"));
  other.holders = list_from<Holder>(value, "holders", [](const json& holder) {
    return Holder{holder.at("thread"), location_from(holder.at("location"))};
  });
  return other;
}

ReportedEvent event_from(const json& value) {
  ReportedEvent event;
  event.thread = value.at("thread");
  event.kind = value.at("kind");
  event.text = value.at("text");
  event.object = value.value("object", "");
  event.address = value.value("address", std::uint64_t{0});
  event.size = value.value("size", 0U);
  event.has_value = value.contains("value");
  event.value = value.value("value", std::uint64_t{0});
  event.before = value.value("before", std::uint64_t{0});
  if (value.contains("after")) event.after = value.at("after").get<std::uint64_t>();
  event.order = value.value("order", "");
  event.outcome = value.value("outcome", 0U);
  event.several = value.value("several", false);
  event.other = value.value("other", "");
  event.wakes = value.value("wakes", std::vector<std::string>{});
  event.follows = value.value("follows", std::vector<std::size_t>{});
  event.blocks = list_from<Involved>(value, "blocks", involved_from);
  event.unblocks = value.value("unblocks", std::vector<std::string>{});
  event.cancelled = value.value("cancelled", false);
  event.also = value.value("also", "");
  event.location = location_from(value.at("location"));
  return event;
}

Decisive decisive_from(const json& value) {
  Decisive decisive;
  decisive.first = value.at("first");
  decisive.schedule = value.at("schedule");
  if (value.contains("second")) decisive.second = value.at("second").get<std::size_t>();
  if (value.contains("outcome")) decisive.outcome = value.at("outcome").get<std::uint32_t>();
  if (value.contains("blocked")) decisive.blocked = involved_from(value.at("blocked"));
  decisive.blocked_text = value.value("blocked_text", "");
  return decisive;
}

Minimisation minimised_from(const json& value) {
  const auto size = [](const json& s) { return Minimisation::Size{s.at("preemptions"), s.at("steps")}; };
  return {.before = size(value.at("before")),
          .after = size(value.at("after")),
          .fewest_preemptions = value.at("fewest_preemptions"),
          .smallest = value.at("smallest"),
          .original = value.at("original")};
}

Exploration exploration_from(const json& value) {
  Exploration exploration;
  exploration.samples = list_from<Exploration::Sample>(value, "samples", [](const json& sample) {
    return Exploration::Sample{sample.at("seconds"), sample.at("executions"), sample.at("events")};
  });
  exploration.branches = value.at("branches").get<std::vector<std::uint64_t>>();
  return exploration;
}

// Positions of events in a damaged file must not lead out of the list.
void check_positions(const ReportedFinding& finding) {
  bool inside = true;
  for (std::size_t i = 0; i < finding.events.size(); ++i) {
    for (const std::size_t earlier : finding.events[i].follows) inside = inside && earlier < i;
  }
  if (finding.decisive) {
    inside = inside && finding.decisive->first < finding.events.size();
    inside = inside && finding.decisive->second.value_or(0) < finding.events.size();
  }
  if (!inside)
    throw json::other_error::create(501, "an event refers to one that is not there", static_cast<const json*>(nullptr));
}

ReportedFinding finding_from(const json& value) {
  ReportedFinding finding;
  finding.kind = value.at("kind");
  finding.message = value.at("message");
  finding.thread = value.at("thread");
  finding.location = location_from(value.at("location"));
  finding.stack = stack_from(value.at("stack"));
  finding.involved = list_from<Involved>(value, "involved", involved_from);
  finding.schedule = value.at("schedule");
  finding.events = list_from<ReportedEvent>(value, "events", event_from);
  finding.accesses = list_from<ReportedAccess>(value, "accesses", [](const json& access) {
    ReportedAccess read{access.at("thread"), access.at("text"), {}, location_from(access.at("location"))};
    if (access.contains("after")) read.after = access.at("after").get<std::size_t>();
    return read;
  });
  finding.inputs = value.value("inputs", std::vector<std::string>{});
  finding.loop = std::min<std::uint64_t>(value.value("loop", std::uint64_t{0}), finding.events.size());
  if (value.contains("minimised")) finding.minimised = minimised_from(value.at("minimised"));
  if (value.contains("decisive")) finding.decisive = decisive_from(value.at("decisive"));
  finding.output = value.at("output");
  check_positions(finding);
  return finding;
}

// What a kind of search adds to the fields that all have.
json without(json object, std::initializer_list<const char*> known) {
  for (const char* name : known) object.erase(name);
  return object;
}

Verdict verdict_from(const std::string& word) {
  for (const Verdict verdict : {Verdict::Verified, Verdict::Bug, Verdict::Incomplete, Verdict::Unsupported}) {
    if (text(verdict) == word) return verdict;
  }
  throw json::other_error::create(501, "there is no such verdict", static_cast<const json*>(nullptr));
}

}  // namespace

Result result_from_json(const json& value) {
  Result result;
  result.program = value.at("program");
  result.arguments = value.at("arguments").get<std::vector<std::string>>();
  result.build = value.at("build");
  result.began = value.value("began", "");
  result.search = value.at("search");
  result.verdict = verdict_from(value.at("verdict"));
  result.reason = value.at("reason");
  const json& coverage = value.at("coverage");
  result.coverage.kind = coverage.at("kind");
  result.coverage.statement = coverage.at("statement");
  result.coverage.not_modelled = coverage.at("not_modelled").get<std::vector<std::string>>();
  result.coverage.details = without(coverage, {"kind", "statement", "not_modelled"});
  const json& s = value.at("statistics");
  result.statistics.executions = s.at("executions");
  result.statistics.blocked = s.at("blocked");
  result.statistics.abandoned = s.at("abandoned");
  result.statistics.events = s.at("events");
  result.statistics.replayed = s.at("replayed");
  result.statistics.max_depth = s.at("max_depth");
  result.statistics.threads = s.at("threads");
  result.statistics.states = s.at("states");
  result.statistics.failures = s.value("failures", std::uint64_t{0});
  result.statistics_details = without(s, {"executions", "blocked", "abandoned", "events", "replayed", "max_depth",
                                          "threads", "states", "failures", "transitions", "seconds", "peak_rss_kib"});
  result.seconds = s.at("seconds");
  result.peak_rss_kib = s.at("peak_rss_kib");
  result.findings = list_from<ReportedFinding>(value, "findings", finding_from);
  result.warnings = list_from<ReportedFinding>(value, "warnings", finding_from);
  if (value.contains("exploration")) result.exploration = exploration_from(value.at("exploration"));
  result.sources = value.value("sources", std::map<std::string, std::string>{});
  return result;
}

}  // namespace heddle
