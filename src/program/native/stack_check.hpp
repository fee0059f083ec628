// Accesses to the stacks of other threads: what was there goes with the function that returns and with the thread that
// ends.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.hpp"

namespace heddle::native {

// Whose stack this is, if it goes with the end of that thread.
[[nodiscard]] std::optional<ThreadId> stack_owner(std::uint64_t address);

// Fails if nobody owns this part of the stacks any more. Within the live part of a stack frames are not told apart, and
// a thread's own stack is not looked at.
void stack_check(std::uint64_t address, bool write, std::uint64_t site);

// The current thread ends, and its stack with it. That frees all of it: fails if another thread's access is not ordered
// before, for it may come later. Where nobody knows what is ordered, the end depends on everything if others have been
// seen to look at the stack (shared_stacks.hpp), so that searches put it before their accesses, too.
void stack_ends();

}  // namespace heddle::native
