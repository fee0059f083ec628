// The reversible races of an event: algorithms.md 3.4.
//
// A conflict that can be reversed is a race, and hides all that happens before it: those pairs become races in the
// executions that the reversal leads to. One that cannot be reversed gives way to what stood behind it: the race of a
// lock is with the lock that opened the critical section before, not with its unlock.
#pragma once

#include "explore/stateless/conflicts.hpp"
#include "explore/stateless/reversal.hpp"

namespace heddle {

class Races {
 public:
  Races(const Execution& execution, Prober& prober)
      : execution_(execution), conflicts_(execution), reverser_(execution, prober) {}

  // Calls `handle` with each reversible race of a second event; reversal words take their steps from the events before
  // `end`.
  template <typename Handle>
  void of(const SecondEvent& second, std::size_t end, Handle handle, Reverser::Steps steps = Reverser::Steps::Wanted) {
    conflicts_.start(second);
    for (auto conflict = conflicts_.next(); conflict != Execution::kNone; conflict = conflicts_.next()) {
      if (conflicts_.hidden(conflict, second)) continue;
      race_.first = conflict;
      if (reverser_.reverse(second, end, steps, race_)) {
        conflicts_.accept(conflict);
        handle(race_);
      } else {
        conflicts_.reject(conflict, second);
      }
    }
  }

  [[nodiscard]] SecondEvent performed(std::size_t position) const {
    return {execution_[position], position, execution_.previous(position), execution_.accesses(position)};
  }

 private:
  const Execution& execution_;
  Conflicts conflicts_;
  Reverser reverser_;
  ReversedRace race_;
};

}  // namespace heddle
