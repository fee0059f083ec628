// Memory shared between the supervisor (the `heddle` command) and the worker (the program under test with the search
// inside): what is worth knowing when the worker dies, and where the search stands meanwhile.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "model/listener.hpp"

namespace heddle {

struct Board {
  static constexpr std::uint32_t kScheduleRoom = 1U << 20U;

  struct Thread {
    char path[48];  // its name; cut off for absurdly deep creation trees
  };
  struct Step {
    std::uint16_t thread;
    std::uint16_t outcome;
  };

  volatile std::uint64_t heartbeat;   // counted up at each step
  volatile std::uint32_t interrupt;   // set by the supervisor: end the search
  volatile std::uint32_t checkpoint;  // counted up by the supervisor: one is wanted
  volatile std::uint32_t again;       // set by the worker: it repeats a step that was seen not to end
  volatile std::uint32_t length;      // of the schedule being executed
  Statistics statistics;
  double estimate;        // of the executions that the search will need; 0: none
  double estimate_error;  // as a share of it; 1 or more: an order of magnitude at best
  Thread threads[kMaxThreads];
  Step schedule[kScheduleRoom];
};

}  // namespace heddle
