// Whose stacks other threads look at, as a search that goes by events has found out (Settings::ends_depend): the end of
// such a thread depends on everything. What is found out is kept with what is learnt about loops, and the search begins
// anew, so that the same end is the same event in all that counts.
#pragma once

#include <cstdint>

#include "base/ids.hpp"

namespace heddle::native {

// The current thread is about to access this memory.
void learn_stack_access(std::uint64_t address);
[[nodiscard]] bool stack_is_shared(ThreadId owner);

}  // namespace heddle::native
