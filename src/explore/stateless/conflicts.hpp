// The events that a later one conflicts with, latest first, as far as they are needed: what every search that looks for
// races or for backtracking points begins with.
//
// They are taken from the frontiers that the later event met. What happens before a conflict that was accepted is
// hidden by it. Behind one that was rejected (an unlock, to the lock that waited for it) the events it followed on the
// same object come into view.
#pragma once

#include <span>
#include <vector>

#include "model/execution.hpp"

namespace heddle {

// The later event: performed at a position, or pending.
struct SecondEvent {
  const Event& event;
  std::size_t position;                         // the events before it are those below
  Execution::Position previous;                 // of its thread; kNone if there is none
  std::span<const Execution::Access> accesses;  // with the frontiers it met
};

class Conflicts {
 public:
  explicit Conflicts(const Execution& execution) : execution_(execution) {}

  void start(const SecondEvent& second);
  // The latest conflict not seen yet; kNone if there is none. (An optional is returned through memory, in two pieces of
  // which one is read back wider than it was written: that is slow, and this is asked at every event.)
  Execution::Position next();
  void accept(std::size_t conflict) { accepted_.push_back(static_cast<Execution::Position>(conflict)); }
  void reject(std::size_t conflict, const SecondEvent& second);

  // Of the second event's own thread, before it for another reason than this conflict, or before an accepted one.
  [[nodiscard]] bool hidden(std::size_t conflict, const SecondEvent& second) const;

 private:
  void add(Execution::Position conflict);

  const Execution& execution_;
  std::vector<Execution::Position> candidates_;  // may hold an event twice
  std::vector<Execution::Position> accepted_;
};

}  // namespace heddle
