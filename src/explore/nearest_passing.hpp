// What made an execution fail: the nearest execution that passes, and the one thing in which the two differ.
//
// Two operations on one object by different threads, i before j, are tried in the other order: everything before i as
// it was, then what does not happen after i, then j, then i and all the rest in its old order as far as the program
// allows. Operations at which threads are blocked in the end count as last in the order: that one of them came too late
// is what makes a deadlock. Where an operation has several outcomes, the others are tried. The latest such change that
// leads to an execution without a finding is the decisive one: all executions tried differ from the failing one in one
// place, and this one for the shortest time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "explore/guided_run.hpp"

namespace heddle {

struct NearestPassing {
  std::size_t first = 0;              // position in the failing execution
  std::optional<std::size_t> second;  // position of the operation that should have come before it; the number of events
                                      // and more stand for operations at which a thread is blocked in the end
  ThreadId second_thread;
  Operation second_operation;
  Outcome other_outcome = 0;  // without `second`: the outcome of `first` that passes
  std::vector<PlannedChoice> schedule;
};

struct NearestPassingLimits {
  std::size_t attempts = 400;
  std::size_t events = 200'000;
  std::function<bool()> give_up = [] { return false; };  // asked before each attempt
};

// `failing`: a schedule that ends in a finding.
[[nodiscard]] std::optional<NearestPassing> find_nearest_passing(Program& program,
                                                                 const std::vector<PlannedChoice>& failing,
                                                                 const NearestPassingLimits& limits = {});

}  // namespace heddle
