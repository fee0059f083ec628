// The result of a check, ready to be shown: addresses have become source lines. The same for every engine.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
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

// A thread that has a lock others wait for, and where it took it.
struct Holder {
  std::string thread;
  Location location;
};

// Another thread with a part in a finding; or one that is held up at some point of an execution.
struct Involved {
  std::string thread;
  std::string text;    // "waits for mutex `a`, held by thread 1", "earlier write of this memory"
  std::string object;  // waited for; empty if it waits for nothing
  std::vector<Holder> holders;
  std::string joins;  // the thread whose end it waits for
  Location location;
  std::vector<Frame> stack;
};

struct ReportedEvent {
  std::string thread;
  std::string kind;
  std::string text;    // for people
  std::string object;  // name of the variable, or an address
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  bool has_value = false;    // `value` and `before` are contents of memory
  std::uint64_t value = 0;   // read, or written by a store
  std::uint64_t before = 0;  // of memory; of a semaphore
  std::optional<std::uint64_t> after;
  std::string order;  // memory order of an atomic access, if it is weaker than seq_cst
  std::uint32_t outcome = 0;
  bool several = false;  // there were other outcomes
  std::string other;     // the thread created or joined
  std::vector<std::string> wakes;
  std::vector<std::size_t> follows;   // events of other threads that happen directly before it
  std::vector<Involved> blocks;       // threads that have to wait from here on
  std::vector<std::string> unblocks;  // threads that need not wait any more
  bool cancelled = false;             // the thread ends there, for it was asked to
  std::string also;                   // what else belongs to the step
  Location location;
};

// An access to the memory that a finding is about.
struct ReportedAccess {
  std::string thread;
  std::string text;                  // "read", "write", "free", ...
  std::optional<std::size_t> after;  // the event behind which it came; nothing: before the first
  Location location;
};

// The nearest execution that passes, and in what it differs: `first` came before `second`, or had another outcome.
struct Decisive {
  std::size_t first = 0;
  std::optional<std::size_t> second;  // an event
  std::optional<Involved> blocked;    // or a thread that waits in the end
  std::string blocked_text;           // what that one wants to do
  std::optional<std::uint32_t> outcome;
  std::string schedule;  // of the execution that passes
};

// How much smaller a counterexample has become.
struct Minimisation {
  struct Size {
    std::size_t preemptions = 0;
    std::size_t steps = 0;
  };
  Size before;
  Size after;
  bool fewest_preemptions = false;  // proved
  bool smallest = false;            // proved: with as few preemptions none is shorter
  std::string original;             // schedule of the execution in which it was found
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
  std::vector<ReportedAccess> accesses;
  std::optional<Decisive> decisive;
  std::optional<Minimisation> minimised;
  std::uint64_t loop = 0;  // of a livelock in a search over states: how many events at the end repeat for ever
  std::string output;
  std::vector<std::string> inputs;  // values the program was given: "main: heddle_choose at a.c:3 = 7"
};

// How the search went on, for drawing it.
struct Exploration {
  struct Sample {
    double seconds = 0;
    std::uint64_t executions = 0;
    std::uint64_t events = 0;
  };
  std::vector<Sample> samples;
  std::vector<std::uint64_t> branches;  // how often it went back, by depth
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
  std::string began;                                             // when: 2026-01-31T12:59:59Z; empty: not known
  double seconds = 0;
  long peak_rss_kib = 0;
  std::vector<ReportedFinding> findings;
  std::vector<ReportedFinding> warnings;
  Exploration exploration;
  std::map<std::string, std::string> sources;  // text of the files that the findings name
};

// The first place in a stack that belongs to the program itself.
[[nodiscard]] Location location_of(const std::vector<Frame>& stack);

[[nodiscard]] nlohmann::json to_json(const Result& result);
// The other way round. Throws nlohmann::json::exception if a field is missing or of the wrong type.
[[nodiscard]] Result result_from_json(const nlohmann::json& json);

// Every place that a finding names.
[[nodiscard]] std::vector<Location> locations_of(const ReportedFinding& finding);

}  // namespace heddle
