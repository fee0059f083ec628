// Whether a race can be reversed, and what the second event then does.
//
// A race is a pair of dependent events e and e' of different threads, e before e', with nothing in between that orders
// them anyway. Reversing it means running everything that does not happen after e, and then e' without e
// (algorithms.md 3.4). Two questions arise: can e' be performed there at all (an unlock cannot be overtaken by the lock
// that waits for it), and what does it do there (a compare-exchange that failed may succeed, a signal may find other
// waiters).
//
// For most kinds both are answered by looking at e: every other event on the object happens after e or before it, so
// the object is in the state it had before e, which the event recorded. What cannot be answered that way is tried out:
// the prober runs the program along the word.
#pragma once

#include <span>
#include <vector>

#include "explore/engine.hpp"
#include "explore/stateless/conflicts.hpp"
#include "model/execution.hpp"

namespace heddle {

// The reversed race: from the state before event `first`, the steps at `steps`, then one of `last`.
struct ReversedRace {
  std::size_t first = 0;
  std::vector<Execution::Position> steps;  // notdep(first), in order; see Reverser::reverse
  std::span<const Event> last;             // the second event as performed there, one for each outcome
  bool same = false;                       // it is there what it was
  bool dropped = false;                    // some of notdep(first) had to be left out
};

class Reverser {
 public:
  Reverser(const Execution& execution, Prober& prober) : execution_(execution), prober_(prober) {}

  enum class Steps : std::uint8_t { Wanted, NotWanted };

  // Fills in `race.last` for race.first; false if the second event cannot come first. The steps are taken from the
  // events before `end`; they are filled in if they are wanted, or not simply notdep(first).
  bool reverse(const SecondEvent& second, std::size_t end, Steps steps, ReversedRace& race);

 private:
  enum class Answer : std::uint8_t { No, Same, Otherwise, TryOut };

  void fill_in_steps(std::size_t end, ReversedRace& race) const;
  // Otherwise: the event is put into others_.
  Answer look(std::size_t first, const SecondEvent& second);
  [[nodiscard]] Answer look_at_wake_up(std::size_t first, const SecondEvent& second) const;
  // Events of a reader-writer lock's readers that keep a writer out, and all that follows from them, are left out of
  // the steps; false if that is not possible.
  bool drop_readers(const SecondEvent& second, ReversedRace& race) const;

  const Execution& execution_;
  Prober& prober_;
  std::vector<Event> others_;  // what the last race has led to, where that is not what the second event was
};

}  // namespace heddle
