// Happens-before without what follows from the rest of it: the arrows worth drawing.
#pragma once

#include <cstddef>
#include <vector>

#include "model/execution.hpp"

namespace heddle {

// The events of other threads that happen before event k with nothing in between, in order.
[[nodiscard]] std::vector<std::size_t> direct_predecessors(const Execution& execution, std::size_t k);

}  // namespace heddle
