// The story of a finding: what happened, in order, one lane for each thread, without what has nothing to do with it.
//
// Which operations have to do with it: the two whose order decided (if an execution with the other order passes), the
// operations on their objects, those on the objects that threads wait for in the end, the last things the failing
// thread looked at, choices, and around a data race what the two threads did just before. If nothing is known to go by,
// everything on objects that several threads used. Stretches of other operations are folded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/result.hpp"

namespace heddle {

enum class Lane : std::uint8_t { Absent, Ready, Waiting };

struct StoryLine {
  enum class Kind : std::uint8_t {
    Operation,
    Access,  // to the memory the finding is about
    Held,    // a thread has to wait from here on
    Fold,    // operations left out
    Repeat,  // the operation above, again and again
    Waits,   // for ever
    Failure,
  };
  Kind kind = Kind::Operation;
  std::string thread;
  std::optional<std::size_t> event;  // for folds: the first of them
  std::size_t count = 0;             // folded or repeated
  char mark = ' ';                   // 'A' or 'B': the operations that decide
  std::string text;
  Location location;
  std::vector<Lane> lanes;  // of all threads, after it
};

struct Story {
  std::vector<std::string> threads;  // paths, in the order of their lanes
  std::vector<StoryLine> lines;
  std::string decisive;  // a sentence about A and B; empty if nothing is known
};

struct StoryLimits {
  std::size_t most_lines = 60;  // of operations; longer stories are folded in the middle
};

[[nodiscard]] Story tell_story(const ReportedFinding& finding, const StoryLimits& limits = {});

// Which events of a finding a story would show.
[[nodiscard]] std::vector<bool> relevant_events(const ReportedFinding& finding);

// A deadlock as the cycle of threads each of which waits for the next; empty if there is none.
[[nodiscard]] std::vector<const Involved*> find_cycle(const ReportedFinding& finding);

}  // namespace heddle
