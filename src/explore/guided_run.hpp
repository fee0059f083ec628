// One execution along a wish list: takes the wished steps where the program allows them, and runs on by itself where it
// does not. How executions close to a given one are tried out: to explain a finding, and to make it smaller.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "program/program.hpp"

namespace heddle {

struct GuidedRun {
  enum class End : std::uint8_t {
    Passed,   // at its end, without a finding
    Failed,   // with a finding
    Useless,  // an assumption was violated, the program refused, or it went on for too long
  };
  End end = End::Useless;
  std::vector<PlannedChoice> schedule;
  std::size_t preemptions = 0;  // switches away from a thread that could have gone on
  std::optional<Finding> finding;
};

// Performs `fixed` first, all of it (the run is useless if the program does not take a step of it), then the wishes:
// each time the first one left whose thread can take it. Without such a wish, the thread that ran last goes on while it
// can, then the one with the lowest number. Ends at the first finding, or, if one is `wanted`, at that: threads that
// fail otherwise are passed over, as the search does.
[[nodiscard]] GuidedRun run_guided(Program& program, std::span<const PlannedChoice> fixed,
                                   std::span<const Choice> wishes, std::size_t max_steps,
                                   const Finding* wanted = nullptr);

// Whether two executions show the same finding.
[[nodiscard]] inline bool same_finding(const Finding& a, const Finding& b) noexcept {
  return a.kind == b.kind && a.key == b.key;
}

}  // namespace heddle
