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
    frames.push_back({{"function", frame.function},
                      {"file", frame.file},
                      {"line", frame.line},
                      {"module", frame.module},
                      {"in_program", frame.in_program}});
  }
  return frames;
}

json to_json(const Involved& other) {
  json message{{"thread", other.thread},
               {"text", other.text},
               {"location", to_json(other.location)},
               {"stack", to_json(other.stack)}};
  if (!other.object.empty()) message["object"] = other.object;
  if (!other.joins.empty()) message["joins"] = other.joins;
  for (const Holder& holder : other.holders) {
    message["holders"].push_back({{"thread", holder.thread}, {"location", to_json(holder.location)}});
  }
  return message;
}

json to_json(const ReportedEvent& event) {
  json message{
      {"thread", event.thread}, {"kind", event.kind}, {"text", event.text}, {"location", to_json(event.location)}};
  if (!event.object.empty()) message["object"] = event.object;
  if (event.address != 0) message["address"] = event.address;
  if (event.size != 0) message["size"] = event.size;
  if (event.has_value) message["value"] = event.value;
  if (event.has_value || event.kind.starts_with("Sem")) message["before"] = event.before;
  if (!event.order.empty()) message["order"] = event.order;
  if (event.after) message["after"] = *event.after;
  if (event.outcome != 0) message["outcome"] = event.outcome;
  if (event.several) message["several"] = true;
  if (!event.other.empty()) message["other"] = event.other;
  if (!event.wakes.empty()) message["wakes"] = event.wakes;
  if (!event.follows.empty()) message["follows"] = event.follows;
  for (const Involved& blocked : event.blocks) message["blocks"].push_back(to_json(blocked));
  if (!event.unblocks.empty()) message["unblocks"] = event.unblocks;
  if (event.cancelled) message["cancelled"] = true;
  if (!event.also.empty()) message["also"] = event.also;
  return message;
}

json to_json(const Decisive& decisive) {
  json message{{"first", decisive.first}, {"schedule", decisive.schedule}};
  if (decisive.second) message["second"] = *decisive.second;
  if (decisive.outcome) message["outcome"] = *decisive.outcome;
  if (decisive.blocked) {
    message["blocked"] = to_json(*decisive.blocked);
    message["blocked_text"] = decisive.blocked_text;
  }
  return message;
}

json to_json(const Minimisation& minimised) {
  const auto size = [](const Minimisation::Size& s) {
    return json{{"preemptions", s.preemptions}, {"steps", s.steps}};
  };
  return {{"before", size(minimised.before)},
          {"after", size(minimised.after)},
          {"fewest_preemptions", minimised.fewest_preemptions},
          {"smallest", minimised.smallest},
          {"original", minimised.original}};
}

json to_json(const Exploration& exploration) {
  json samples = json::array();
  for (const Exploration::Sample& sample : exploration.samples) {
    samples.push_back({{"seconds", sample.seconds}, {"executions", sample.executions}, {"events", sample.events}});
  }
  return {{"samples", samples}, {"branches", exploration.branches}};
}

json to_json(const ReportedFinding& finding) {
  json involved = json::array();
  for (const Involved& other : finding.involved) involved.push_back(to_json(other));
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
  for (const ReportedAccess& access : finding.accesses) {
    json described{{"thread", access.thread}, {"text", access.text}, {"location", to_json(access.location)}};
    if (access.after) described["after"] = *access.after;
    message["accesses"].push_back(std::move(described));
  }
  if (finding.minimised) message["minimised"] = to_json(*finding.minimised);
  if (finding.decisive) message["decisive"] = to_json(*finding.decisive);
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

std::vector<Location> locations_of(const ReportedFinding& finding) {
  std::vector<Location> places{finding.location};
  const auto add_stack = [&](const std::vector<Frame>& stack) {
    for (const Frame& frame : stack) {
      if (frame.in_program) places.push_back({frame.file, frame.line, frame.function});
    }
  };
  add_stack(finding.stack);
  for (const Involved& other : finding.involved) add_stack(other.stack);
  for (const ReportedEvent& event : finding.events) places.push_back(event.location);
  for (const ReportedAccess& access : finding.accesses) places.push_back(access.location);
  std::erase_if(places, [](const Location& place) { return !place.known(); });
  return places;
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
          {"began", result.began},
          {"verdict", std::string(text(result.verdict))},
          {"reason", result.reason},
          {"coverage", coverage},
          {"search", result.search},
          {"statistics", statistics},
          {"findings", to_json(result.findings)},
          {"warnings", to_json(result.warnings)},
          {"exploration", to_json(result.exploration)},
          {"sources", result.sources}};
}

}  // namespace heddle
