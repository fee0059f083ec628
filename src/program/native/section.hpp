// Atomic sections: what heddle_atomic_begin and heddle_atomic_end enclose is one step, or as much of it as the thread
// gets done without having to wait. A thread that waits in the middle of its section lets others run, which may begin
// sections of their own; once it can go on, it goes on before those that are in none. Sections nest: the outermost
// counts. A section that is open when its thread ends, ends with it.
//
// In a search over states the accesses of such a step are those of all its operations. Its event is an operation on
// everything, for who does not look at them (Program::section).
#pragma once

#include <span>

#include "model/accesses.hpp"
#include "program/native/fibre.hpp"

namespace heddle::native {

// The current thread begins and ends a section, when it is its turn.
void enter_section(std::uint64_t site);
void leave_section();
// It ends: so does a section that it is in.
void close_section();
// It goes no further.
void abandon_section();

// --- what the steps of a search over states access

// A step is about to be taken.
void section_reset();
// The operation under way is over, and the current thread goes on with its pending one in the same step.
void section_goes_on();
// The step is over: makes one event of it.
void section_ends_step();
// What the last step accessed, if it was a section; empty otherwise.
[[nodiscard]] std::span<const ObjectAccess> section_accesses() noexcept;

}  // namespace heddle::native
