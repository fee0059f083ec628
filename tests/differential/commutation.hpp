// Whether `dependent` tells the truth about a toy program: what every reduction, and the oracle too, relies on.
//
// In every reachable state s, for steps p and q of different threads (algorithms.md 1, conditions a to c):
//   1  p and q both possible in s and independent      =>  q is possible after p too, as the same event
//   2  q possible after p, and independent of it       =>  q was possible in s, as the same event; and q.p leads where
//                                                          p.q does
//   3  r possible after p, dependent on it, and q possible after p, independent of it
//                                                      =>  r, if possible after p.q, is dependent on p there as well
#pragma once

#include <optional>
#include <string>

#include "differential/oracle.hpp"

namespace heddle::differential {

// The first state found in which it does not, as text. Looks at no more states than the limits say.
[[nodiscard]] std::optional<std::string> commutation_error(const toy::ToyCode& code, toy::ToyOptions options = {},
                                                           OracleLimits limits = {});

}  // namespace heddle::differential
