// Makes a program that shows something smaller, as long as it still does.
//
// Greedy: of all programs that are one simplification away, take the first that still fails, and begin again; end when
// none does. Simplifications, the largest first: a thread goes; a run of instructions goes; two instructions of a
// thread go together (a lock and its unlock); an instruction becomes a simpler one (a timed wait a wait); a number
// becomes smaller. Each makes the program smaller in that order, so the end is reached. Every program tried is well
// formed.
#pragma once

#include <functional>

#include "program/toy/toy_code.hpp"

namespace heddle::differential {

// `still_fails` holds for `code`, and the result is a program for which it holds as well.
[[nodiscard]] toy::ToyCode shrink(toy::ToyCode code, const std::function<bool(const toy::ToyCode&)>& still_fails);

}  // namespace heddle::differential
