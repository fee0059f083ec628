// The stream of what happens in a search. Searches and engines never print: they tell a listener, and reports are
// listeners.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/choice.hpp"
#include "model/finding.hpp"

namespace heddle {

// Figures of a search so far, as they stand in results.
struct Statistics {
  std::uint64_t executions = 0;   // complete ones, those that end in a deadlock or a bug included
  std::uint64_t blocked = 0;      // cut short because every enabled thread was asleep
  std::uint64_t abandoned = 0;    // ended by an assumption of the program that did not hold
  std::uint64_t events = 0;       // operations performed, replayed prefixes not counted
  std::uint64_t replayed = 0;     // operations performed again to get back to a choice
  std::uint64_t max_depth = 0;    // choices of the longest execution
  std::uint64_t threads = 0;      // most threads in one execution
  std::uint64_t states = 0;       // kept by a search that keeps states
  std::uint64_t failures = 0;     // executions that showed a finding, a known one or not
  std::uint64_t transitions = 0;  // of a search over states, as the paper on Cartesian reduction counts
};

class Listener {
 public:
  virtual ~Listener() = default;
  // An execution has ended; called for each, so it must be quick.
  virtual void execution_ended(const Statistics& /*so_far*/) {}
  // A finding, with the choices that lead to it. Called once for each distinct defect.
  virtual void found(const Finding& finding, std::span<const PlannedChoice> schedule) = 0;
  // Whether the search is to write down where it stands; asked after each execution.
  [[nodiscard]] virtual bool wants_checkpoint() { return false; }
  // Where the search stands: what another process needs to go on from here. Also called when a budget or an interrupt
  // ends the search; never by a search that cannot be continued.
  virtual void checkpoint(std::string_view /*state*/) {}
};

}  // namespace heddle
