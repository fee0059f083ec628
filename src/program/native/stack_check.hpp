// Accesses to the stacks of other threads: what was there goes with the function that returns and with the thread that
// ends.
#pragma once

#include <cstdint>

namespace heddle::native {

// Fails if nobody owns this part of the stacks any more. Within the live part of a stack frames are not told apart, and
// a thread's own stack is not looked at.
void stack_check(std::uint64_t address, bool write, std::uint64_t site);

}  // namespace heddle::native
