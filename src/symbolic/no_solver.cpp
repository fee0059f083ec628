// In place of z3_solver.cpp where Z3 is not installed.
#include "symbolic/solver.hpp"

namespace heddle::symbolic {

std::unique_ptr<Solver> make_solver(const TermPool& /*pool*/) { return nullptr; }

}  // namespace heddle::symbolic
