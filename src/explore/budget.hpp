// Limits of a search. Reaching one is an outcome with a name, never passed over as success.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace heddle {

struct Budget {
  std::uint64_t max_executions = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_steps = 100'000;  // per execution
  std::optional<std::chrono::nanoseconds> max_time;
};

// Why a search ended.
enum class Ended : std::uint8_t {
  Complete,      // everything it set out to cover has been covered
  FirstFinding,  // it was told to stop there
  Executions,    // budget
  Steps,         // some execution was cut off at max_steps; the search went on with the others
  Time,          // budget
  States,        // budget of a search that keeps states
  Memory,        // budget, of a search over states
  Interrupted,   // from outside
  WorkerDied,    // one of the processes of a search over states ended in an unexpected way
  Unseen,        // steps that should not have touched each other did: there are accesses that nobody saw
  Refused,       // the program does something that the back-end does not model
  NotResumed,    // the state it was to go on from does not fit the program
  Revised,       // the program is to be run otherwise from now on: begin anew, with a new reduction
};

}  // namespace heddle
