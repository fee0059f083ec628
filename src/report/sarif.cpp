#include <algorithm>
#include <filesystem>
#include <set>

#include "report/forms.hpp"
#include "report/story.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

using nlohmann::json;

// Characters that may stand in the path of a URI as they are; all others are written as %XX.
std::string file_uri(const std::string& path) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }
  return uri;
}

json physical(const Location& location) {
  json place{{"artifactLocation", {{"uri", file_uri(location.file)}}}};
  if (location.line > 0) place["region"] = {{"startLine", location.line}};
  return place;
}

json location_message(const Location& location, const std::string& text) {
  json value{{"message", {{"text", text}}}};
  if (location.known()) {
    value["physicalLocation"] = physical(location);
    value["logicalLocations"] = json::array({{{"fullyQualifiedName", location.function}, {"kind", "function"}}});
  }
  return value;
}

json stack_of(const std::string& title, const std::vector<Frame>& stack) {
  json frames = json::array();
  for (const Frame& frame : stack) {
    if (!frame.in_program) continue;
    const Location here{frame.file, frame.line, frame.function};
    frames.push_back({{"location", location_message(here, "in " + frame.function)}});
  }
  return {{"message", {{"text", title}}}, {"frames", frames}};
}

// One thread flow for each thread; what order they ran in is said by executionOrder.
json code_flow(const ReportedFinding& finding) {
  json flows = json::array();
  const std::vector<bool> relevant = relevant_events(finding);
  std::set<std::string> threads;
  for (const ReportedEvent& event : finding.events) threads.insert(event.thread);
  for (const std::string& thread : threads) {
    json steps = json::array();
    for (std::size_t i = 0; i < finding.events.size(); ++i) {
      const ReportedEvent& event = finding.events[i];
      if (event.thread != thread) continue;
      const bool decides =
          finding.decisive && (finding.decisive->first == i || finding.decisive->second.value_or(i + 1) == i);
      steps.push_back({{"location", location_message(event.location, operation_text(event))},
                       {"executionOrder", i + 1},
                       {"importance", decides       ? "essential"
                                      : relevant[i] ? "important"
                                                    : "unimportant"}});
    }
    flows.push_back({{"id", thread_name(thread)}, {"locations", steps}});
  }
  return {{"threadFlows", flows}};
}

// The standard has sets of these.
void add_once(json& set, json element) {
  if (std::find(set.begin(), set.end(), element) == set.end()) set.push_back(std::move(element));
}

json result_of(const ReportedFinding& finding, const char* level) {
  json locations = json::array();
  if (finding.location.known()) {
    json place{{"physicalLocation", physical(finding.location)}};
    if (!finding.location.function.empty()) {
      place["logicalLocations"] =
          json::array({{{"fullyQualifiedName", finding.location.function}, {"kind", "function"}}});
    }
    locations.push_back(place);
  }
  std::string message = finding.message;
  if (const std::string decisive = tell_story(finding).decisive; !decisive.empty()) message += ". " + decisive;
  json value{{"ruleId", finding.kind},
             {"level", level},
             {"message", {{"text", message}}},
             {"locations", locations},
             {"properties", {{"schedule", finding.schedule}}}};
  json stacks = json::array();
  if (!finding.stack.empty()) stacks.push_back(stack_of(thread_name(finding.thread), finding.stack));
  for (const Involved& other : finding.involved) {
    if (other.location.known()) {
      add_once(value["relatedLocations"],
               location_message(other.location, thread_name(other.thread) + " " + other.text));
    }
    if (!other.stack.empty()) add_once(stacks, stack_of(thread_name(other.thread) + ": " + other.text, other.stack));
  }
  if (!stacks.empty()) value["stacks"] = stacks;
  if (!finding.events.empty()) value["codeFlows"] = json::array({code_flow(finding)});
  return value;
}

json rules_of(const Result& result) {
  std::set<std::string> kinds;
  for (const ReportedFinding& finding : result.findings) kinds.insert(finding.kind);
  for (const ReportedFinding& warning : result.warnings) kinds.insert(warning.kind);
  json rules = json::array();
  for (const std::string& kind : kinds) {
    rules.push_back({{"id", kind}, {"name", kind}, {"shortDescription", {{"text", "A schedule leads to: " + kind}}}});
  }
  return rules;
}

}  // namespace

std::string to_sarif(const Result& result) {
  json results = json::array();
  for (const ReportedFinding& finding : result.findings) results.push_back(result_of(finding, "error"));
  for (const ReportedFinding& warning : result.warnings) results.push_back(result_of(warning, "warning"));
  const bool answered = result.verdict == Verdict::Verified || result.verdict == Verdict::Bug;
  json invocation{{"executionSuccessful", answered},
                  {"properties", {{"verdict", text(result.verdict)}, {"coverage", result.coverage.statement}}}};
  if (!answered) {
    invocation["toolExecutionNotifications"] = json::array(
        {{{"level", "warning"}, {"message", {{"text", std::string(text(result.verdict)) + ": " + result.reason}}}}});
  }
  const json driver{{"name", "Heddle"},
                    {"version", HEDDLE_VERSION},
                    {"semanticVersion", HEDDLE_VERSION},
                    {"rules", rules_of(result)}};
  const json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", json::array({{{"tool", {{"driver", driver}}},
                                        {"invocations", json::array({invocation})},
                                        {"columnKind", "unicodeCodePoints"},
                                        {"results", results}}})}};
  return log.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace heddle
