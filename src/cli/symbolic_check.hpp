// `heddle check --symbolic`: all inputs and all schedules up to a number of steps, with a solver.
#pragma once

#include "cli/check_options.hpp"
#include "report/result.hpp"

namespace heddle {

struct SymbolicTarget {
  std::vector<std::string> sources;
  std::vector<std::string> arguments;
};

// Everything but the program, its arguments and how it was built. A counterexample has been replayed on the native
// engine, which describes it.
[[nodiscard]] Result check_symbolically(const SymbolicTarget& target, const CheckOptions& options);

}  // namespace heddle
