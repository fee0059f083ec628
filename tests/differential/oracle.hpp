// The oracle: all executions of a toy program, found without any search.
//
// Executions that differ only in the order of independent events are one Mazurkiewicz trace. The oracle gives every
// prefix of an execution the name of its trace (trace_name) and walks over names, depth first: a name met before is not
// expanded again, for what can follow depends on the trace alone. The names of the prefixes that end an execution are
// then all traces of the program, each once, and a search is right if the names of its executions are the same set.
//
// That what follows depends on the trace alone is what `dependent` promises. The oracle notices if two orders of one
// trace lead to different states (`contradiction`); commutation.hpp tests the promise itself.
//
// Nothing here uses clocks, sleep sets or anything else of the searches: only `dependent` and copies of ToyProgram.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "model/finding.hpp"
#include "model/operation.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle::differential {

// The lexicographically least order of the trace's events, as text: a letter for each event with all that `dependent`
// looks at and the outcome. Two sequences have equal names iff they are the same trace.
using TraceName = std::string;
[[nodiscard]] TraceName trace_name(std::span<const Event> events);

// How an execution ended: with every thread finished or blocked, with some thread stopped by a finding, or with one
// stopped by an assumption that does not hold.
enum class Ending : std::uint8_t { Maximal, Failed, Abandoned };

struct SeenFinding {
  FindingKind kind;
  std::uint64_t key;
  friend constexpr auto operator<=>(SeenFinding, SeenFinding) = default;
};

// Numbers of interleavings; abandoned ones are counted apart, as in Statistics.
struct Interleavings {
  std::uint64_t executions = 0;
  std::uint64_t abandoned = 0;
  friend constexpr bool operator==(Interleavings, Interleavings) = default;
};

struct OracleLimits {
  std::size_t prefixes = 20000;  // names
  std::size_t events = 200;      // of one execution
};

struct OracleResult {
  std::map<TraceName, Ending> traces;
  // Those of the ends, and those raised on the way: also after another thread violated an assumption, for that thread
  // may as well have been stopped just before it looked.
  std::set<SeenFinding> findings;
  Interleavings interleavings;
  std::optional<std::string> contradiction;
  bool limit_hit = false;  // then everything else is a part only: the program is to be skipped

  // Traces that end in this way.
  [[nodiscard]] std::size_t count(Ending ending) const;
  // The kinds of the findings, as texts.
  [[nodiscard]] std::set<std::string> finding_kinds() const;
};

[[nodiscard]] OracleResult all_traces(const toy::ToyCode& code, toy::ToyOptions options = {}, OracleLimits limits = {});

}  // namespace heddle::differential
