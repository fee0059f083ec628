#include "model/execution.hpp"

#include "base/contract.hpp"
#include "model/dependency.hpp"

namespace heddle {

void Execution::push(const Event& event) {
  Entry entry{event, {}};
  std::uint32_t earlier_of_thread = 0;
  // Backwards over the events, joining each direct dependency that is not already known: whatever happens before it
  // comes along with its clock, so an event that the clock already contains adds nothing.
  for (std::size_t i = events_.size(); i-- > 0;) {
    const Entry& earlier = events_[i];
    if (earlier.event.thread == event.thread && earlier_of_thread == 0) earlier_of_thread = earlier.event.index;
    if (entry.clock[earlier.event.thread] >= earlier.event.index) continue;
    if (dependent(earlier.event, event)) entry.clock.join(earlier.clock);
  }
  HEDDLE_REQUIRE(event.index == earlier_of_thread + 1, "events of a thread are pushed in order");
  entry.clock.set(event.thread, event.index);
  events_.push_back(std::move(entry));
}

void Execution::pop() {
  HEDDLE_REQUIRE(!events_.empty(), "pop of an empty execution");
  events_.pop_back();
}

}  // namespace heddle
