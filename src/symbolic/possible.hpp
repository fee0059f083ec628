// Which of many conditions can be true, with few questions: each question is whether any of those still open is, and
// each answer settles all that are true in it. What is asked about in an unrolling is mostly impossible, and one
// question says so.
#pragma once

#include <functional>
#include <vector>

#include "symbolic/solver.hpp"

namespace heddle::symbolic {

// Asks the solver, for as long as its owner thinks fit.
using Question = std::function<Answer(Term)>;

// For each condition, whether it may be true together with all that is required; true also where the solver does not
// know.
[[nodiscard]] std::vector<bool> possible(TermPool& pool, Solver& solver, const Question& ask,
                                         const std::vector<Term>& conditions);

}  // namespace heddle::symbolic
