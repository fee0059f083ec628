// Toy programs as C source, so that the native back-end can be compared with the toy one: the same operations, so the
// same interleavings and the same kinds of findings.
//
// Each visible instruction becomes one call or one sequentially consistent atomic access; registers are locals, objects
// are globals. C's `main` is thread 0 and is the only thread that nobody creates. A program with other such threads has
// to be given to with_main first, and the toy side of the comparison takes what that returns too. `main` ends by
// pthread_exit, so the others go on.
#pragma once

#include <cstdint>
#include <string>

#include "program/toy/toy_code.hpp"

namespace heddle::differential {

enum class MainJoins : std::uint8_t { No, Yes };

// The program behind a new thread 0, which creates those threads that nobody creates, in order. With MainJoins::Yes it
// then joins, in order, those of them that nobody joins.
[[nodiscard]] toy::ToyCode with_main(const toy::ToyCode& code, MainJoins joins = MainJoins::No);

// Whether C can say the same. It has no await; a barrier has one number of parties; a join needs the handle of a thread
// that surely exists, and that nobody else joins.
[[nodiscard]] bool can_be_c(const toy::ToyCode& code);

// Expects a program that can_be_c holds for and in which nobody creates thread 0 and somebody every other.
[[nodiscard]] std::string emit_c(const toy::ToyCode& code);

}  // namespace heddle::differential
