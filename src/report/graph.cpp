// The happens-before graph of a finding: as GraphViz, and as a trace whose arrows Perfetto draws.
#include <fmt/format.h>

#include <map>

#include "report/forms.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

using nlohmann::json;

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

const char* colour_of(const ReportedFinding& finding, std::size_t i) {
  if (!finding.decisive) return "black";
  const bool decides = finding.decisive->first == i || finding.decisive->second.value_or(i + 1) == i;
  return decides ? "red" : "black";
}

// Events of each thread, threads by path.
std::map<std::string, std::vector<std::size_t>> by_thread(const ReportedFinding& finding) {
  std::map<std::string, std::vector<std::size_t>> threads;
  for (std::size_t i = 0; i < finding.events.size(); ++i) threads[finding.events[i].thread].push_back(i);
  return threads;
}

}  // namespace

std::string to_graphviz(const ReportedFinding& finding) {
  std::string graph = fmt::format("digraph happens_before {{\n  label={};\n  labelloc=t;\n",
                                  quoted(finding.kind + ": " + finding.message));
  graph += "  node [shape=box, fontname=\"monospace\", fontsize=10];\n";
  std::size_t cluster = 0;
  for (const auto& [thread, events] : by_thread(finding)) {
    graph += fmt::format("  subgraph cluster_{} {{\n    label={};\n", cluster++, quoted(thread_name(thread)));
    for (const std::size_t i : events) {
      const ReportedEvent& event = finding.events[i];
      graph += fmt::format("    e{} [label={}, color={}];\n", i + 1,
                           quoted(fmt::format("{} {}  {}", i + 1, operation_text(event), short_place(event.location))),
                           colour_of(finding, i));
    }
    graph += "  }\n";
    for (std::size_t k = 1; k < events.size(); ++k) {
      graph += fmt::format("  e{} -> e{} [weight=8];\n", events[k - 1] + 1, events[k] + 1);
    }
  }
  for (std::size_t i = 0; i < finding.events.size(); ++i) {
    for (const std::size_t earlier : finding.events[i].follows) {
      graph += fmt::format("  e{} -> e{} [style=dashed, constraint=true];\n", earlier + 1, i + 1);
    }
  }
  return graph + "}\n";
}

// Time is the number of the step: 10 microseconds each, so that arrows have room.
std::string to_trace(const ReportedFinding& finding) {
  json events = json::array();
  std::map<std::string, int> numbers;
  for (const auto& [thread, steps] : by_thread(finding)) {
    const int number = static_cast<int>(numbers.size()) + 1;
    numbers[thread] = number;
    events.push_back(
        {{"ph", "M"}, {"name", "thread_name"}, {"pid", 1}, {"tid", number}, {"args", {{"name", thread_name(thread)}}}});
  }
  std::size_t arrow = 0;
  for (std::size_t i = 0; i < finding.events.size(); ++i) {
    const ReportedEvent& event = finding.events[i];
    const std::size_t time = 10 * i;
    events.push_back({{"ph", "X"},
                      {"name", operation_text(event)},
                      {"cat", event.kind},
                      {"pid", 1},
                      {"tid", numbers[event.thread]},
                      {"ts", time},
                      {"dur", 8},
                      {"args", {{"step", i + 1}, {"place", place(event.location)}, {"object", event.object}}}});
    for (const std::size_t earlier : event.follows) {
      const json common{{"name", "happens before"}, {"cat", "happens-before"}, {"id", arrow++}, {"pid", 1}};
      json begin = common;
      begin.update({{"ph", "s"}, {"tid", numbers[finding.events[earlier].thread]}, {"ts", 10 * earlier + 4}});
      json end = common;
      end.update({{"ph", "f"}, {"bp", "e"}, {"tid", numbers[event.thread]}, {"ts", time + 4}});
      events.push_back(begin);
      events.push_back(end);
    }
  }
  return json{{"traceEvents", events}, {"displayTimeUnit", "ns"}}.dump(1, ' ', false, json::error_handler_t::replace) +
         "\n";
}

}  // namespace heddle
