#include "report/result.hpp"

namespace heddle {
namespace {

using nlohmann::json;

json to_json(const Location& location) {
  if (!location.known()) return nullptr;
  return {{"file", location.file}, {"line", location.line}, {"function", location.function}};
}

json to_json(const std::vector<Frame>& stack) {
  json frames = json::array();
  for (const Frame& frame : stack) {
    frames.push_back(
        {{"function", frame.function}, {"file", frame.file}, {"line", frame.line}, {"module", frame.module}});
  }
  return frames;
}

json to_json(const ReportedEvent& event) {
  json message{
      {"thread", event.thread}, {"kind", event.kind}, {"text", event.text}, {"location", to_json(event.location)}};
  if (!event.object.empty()) message["object"] = event.object;
  if (event.has_value) message["value"] = event.value;
  if (event.outcome != 0) message["outcome"] = event.outcome;
  if (!event.other.empty()) message["other"] = event.other;
  return message;
}

json to_json(const ReportedFinding& finding) {
  json involved = json::array();
  for (const Involved& other : finding.involved) {
    involved.push_back({{"thread", other.thread},
                        {"text", other.text},
                        {"location", to_json(other.location)},
                        {"stack", to_json(other.stack)}});
  }
  json events = json::array();
  for (const ReportedEvent& event : finding.events) events.push_back(to_json(event));
  json message{{"kind", finding.kind},
               {"message", finding.message},
               {"thread", finding.thread},
               {"location", to_json(finding.location)},
               {"stack", to_json(finding.stack)},
               {"involved", involved},
               {"schedule", finding.schedule},
               {"events", events},
               {"output", finding.output}};
  if (finding.loop > 0) message["loop"] = finding.loop;
  if (!finding.inputs.empty()) message["inputs"] = finding.inputs;
  return message;
}

json to_json(const std::vector<ReportedFinding>& findings) {
  json list = json::array();
  for (const ReportedFinding& finding : findings) list.push_back(to_json(finding));
  return list;
}

}  // namespace

Location location_of(const std::vector<Frame>& stack) {
  for (const Frame& frame : stack) {
    if (frame.in_program) return {frame.file, frame.line, frame.function};
  }
  return {};
}

json to_json(const Result& result) {
  const Statistics& s = result.statistics;
  json statistics{{"executions", s.executions}, {"blocked", s.blocked},         {"abandoned", s.abandoned},
                  {"events", s.events},         {"replayed", s.replayed},       {"failures", s.failures},
                  {"states", s.states},         {"transitions", s.transitions}, {"max_depth", s.max_depth},
                  {"threads", s.threads},       {"seconds", result.seconds},    {"peak_rss_kib", result.peak_rss_kib}};
  statistics.update(result.statistics_details);
  json coverage = result.coverage.details;
  coverage["kind"] = result.coverage.kind;
  coverage["statement"] = result.coverage.statement;
  coverage["not_modelled"] = result.coverage.not_modelled;
  return {{"heddle", HEDDLE_VERSION},
          {"schema", 1},
          {"program", result.program},
          {"arguments", result.arguments},
          {"build", result.build},
          {"verdict", std::string(text(result.verdict))},
          {"reason", result.reason},
          {"coverage", coverage},
          {"search", result.search},
          {"statistics", statistics},
          {"findings", to_json(result.findings)},
          {"warnings", to_json(result.warnings)}};
}

}  // namespace heddle
