#include "model/direct_order.hpp"

#include <algorithm>

namespace heddle {

// Of each other thread only the last event that happens before k can be a direct predecessor; it is one unless it
// happens before another such event, or before the event of k's own thread that precedes k.
std::vector<std::size_t> direct_predecessors(const Execution& execution, std::size_t k) {
  std::vector<std::size_t> latest;
  const auto clock = execution.clock(k);
  for (std::size_t t = 0; t < clock.size() && t < execution.thread_count(); ++t) {
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    if (thread == execution[k].thread || clock[t] == 0) continue;
    latest.push_back(execution.position(thread, clock[t]));
  }
  std::vector<std::size_t> others = latest;
  if (execution[k].index > 1) others.push_back(execution.position(execution[k].thread, execution[k].index - 1));
  std::erase_if(latest, [&](std::size_t candidate) {
    return std::any_of(others.begin(), others.end(), [&](std::size_t other) {
      return other != candidate && execution.happens_before(candidate, other);
    });
  });
  std::sort(latest.begin(), latest.end());
  return latest;
}

}  // namespace heddle
