// The result of a check, ready to be shown: addresses have become source lines. The same for every engine.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/finding.hpp"
#include "model/listener.hpp"
#include "report/symbolizer.hpp"

namespace heddle {

struct Location {
  std::string file;
  int line = 0;
  std::string function;
  [[nodiscard]] bool known() const { return !file.empty(); }
};

struct ReportedEvent {
  std::string thread;
  std::string kind;
  std::string text;    // for people
  std::string object;  // name of the variable, or an address
  std::uint64_t value = 0;
  std::uint32_t outcome = 0;
  std::string other;  // the thread created or joined
  bool has_value = false;
  Location location;
};

// Another thread with a part in a finding.
struct Involved {
  std::string thread;
  std::string text;  // "waits for mutex `a`, held by thread 0.1", "write"
  Location location;
  std::vector<Frame> stack;
};

struct ReportedFinding {
  std::string kind;
  std::string message;
  std::string thread;
  Location location;
  std::vector<Frame> stack;
  std::vector<Involved> involved;
  std::string schedule;
  std::vector<ReportedEvent> events;
  std::uint64_t loop = 0;  // of a livelock in a search over states: how many events at the end repeat for ever
  std::string output;
  std::vector<std::string> inputs;  // values the program was given: "main: heddle_choose at a.c:3 = 7"
};

struct Coverage {
  std::string kind = "all-schedules";
  std::string statement;
  std::vector<std::string> not_modelled;
  nlohmann::json details = nlohmann::json::object();  // further fields, by the kind of coverage
};

struct Result {
  std::string program;
  std::vector<std::string> arguments;
  nlohmann::json build;   // how to build the program again: sources and options; null for an executable
  nlohmann::json search;  // the options in force
  Verdict verdict = Verdict::Verified;
  std::string reason;     // why incomplete or unsupported
  bool as_asked = false;  // incomplete by nature, and all that was asked for has been done
  Location reason_location;
  Coverage coverage;
  Statistics statistics;
  nlohmann::json statistics_details = nlohmann::json::object();  // further figures, where a search has them
  double seconds = 0;
  long peak_rss_kib = 0;
  std::vector<ReportedFinding> findings;
  std::vector<ReportedFinding> warnings;
};

// The first place in a stack that belongs to the program itself.
[[nodiscard]] Location location_of(const std::vector<Frame>& stack);

[[nodiscard]] nlohmann::json to_json(const Result& result);

}  // namespace heddle
