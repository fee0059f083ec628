// The machine-dependent half of fibres: switching stacks, and starting on a fresh one. The other half, the base of
// thread-local storage, is in tls.hpp.
#pragma once

#include <cstddef>

#include "program/native/context_switch_x86_64.hpp"  // defines switch_stack

namespace heddle::native {

// Saves what calls preserve on the current stack, stores its pointer in *save, and resumes the stack `to`. Returns when
// somebody switches back. Floating-point control words travel with the stack.
void switch_stack(void** save, void* to) noexcept;

// Prepares a stack so that switching to the returned pointer calls `entry` on it, with the floating-point control words
// in force now (a new thread has its creator's). `entry` must not return. Unwinders
// and debuggers see the end of the call chain there.
void* prepare_stack(void* stack_top, void (*entry)()) noexcept;

}  // namespace heddle::native
