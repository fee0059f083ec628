// An execution with its happens-before relation.
//
// The events performed so far, in order, each with a vector clock such that
//     event i happens before (or is) event k   iff   clock(k)[thread(i)] >= index(i)          (algorithms.md 3.1)
// Happens-before is the transitive closure of "earlier and dependent". A clock is computed when its event is pushed, by
// one pass backwards over the events.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/vector_clock.hpp"
#include "model/operation.hpp"

namespace heddle {

class Execution {
 public:
  // Appends an event; sets nothing but its clock. The event's index must be the next of its thread.
  void push(const Event& event);
  void pop();
  void clear() { events_.clear(); }

  [[nodiscard]] std::size_t size() const noexcept { return events_.size(); }
  [[nodiscard]] const Event& operator[](std::size_t i) const noexcept { return events_[i].event; }
  [[nodiscard]] const VectorClock& clock(std::size_t i) const noexcept { return events_[i].clock; }

  // Whether event i happens before event k, or is it.
  [[nodiscard]] bool happens_before(std::size_t i, std::size_t k) const noexcept {
    return events_[k].clock[events_[i].event.thread] >= events_[i].event.index;
  }

 private:
  struct Entry {
    Event event;
    VectorClock clock;
  };
  std::vector<Entry> events_;
};

}  // namespace heddle
