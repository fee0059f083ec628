// Makes a counterexample smaller: fewest preemptions, then fewest operations, then the smallest data choices.
//
// First by hand, so to speak: blocks of one thread's steps are moved to its neighbouring blocks or left out, and data
// choices lowered, as long as the same finding shows and the measure shrinks. That is quick, and enough to begin with.
//
// Then in order: all executions without a preemption, then those with one, and so on (context bounding, Musuvathi and
// Qadeer 2007), up to the number that the best one known has. There, only executions smaller than the best one known
// are looked at. If this comes to its end within the limits, no execution with fewer preemptions shows the finding, and
// with as many none is shorter: the result says so.
//
// A preemption is a switch away from a thread that could have gone on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "program/program.hpp"

namespace heddle {

struct Measure {
  std::size_t preemptions = 0;
  std::size_t length = 0;
  std::uint64_t data = 0;  // sum of the outcomes chosen
  friend constexpr auto operator<=>(const Measure&, const Measure&) = default;
};

struct MinimiseLimits {
  std::size_t events = 1'000'000;                        // performed in all
  std::function<bool()> give_up = [] { return false; };  // asked before each execution
};

struct Minimised {
  std::vector<PlannedChoice> schedule;
  Measure before;
  Measure after;
  bool fewest_preemptions = false;  // proved
  bool smallest = false;            // proved, among those with as few preemptions
};

// `schedule` leads to `finding`, and ends there. Nothing if it does not do so again, or meets another finding first.
[[nodiscard]] std::optional<Minimised> minimise(Program& program, const std::vector<PlannedChoice>& schedule,
                                                const Finding& finding, const MinimiseLimits& limits = {});

}  // namespace heddle
