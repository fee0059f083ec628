// Stacks below what is in use. Earlier calls have left words there, of this execution or of another one, and functions
// called later have words in their frames that they never write. Where stacks are compared these must be blank, or
// threads that have done the same would seem to be in different places.
#pragma once

#include <cstdint>

#include "program/native/fibre.hpp"

namespace heddle::native {

// The lowest byte of a stack that anybody will read again.
[[nodiscard]] std::uint64_t live_stack(const Fibre& fibre) noexcept;

// Clears a thread's stack below what is in use.
void clear_dead_stack(const Fibre& fibre) noexcept;

}  // namespace heddle::native
