// Await loops against a walk that knows nothing of them.
//
// The program is walked as it is, going round in its loops as often as it likes: all reachable states, each once, which
// for programs without counters are finitely many. A search that recognises awaits must then see the same ends (states
// in which nobody can take a step), the same failures, and a livelock if and only if there is a state from which no end
// can be reached.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "explore/reductions.hpp"
#include "model/finding.hpp"
#include "program/toy/toy_code.hpp"

namespace heddle::differential {

struct Ends {
  std::set<std::string> states;  // descriptions
  std::set<FindingKind> findings;
};

// Of the program as it is; nothing if it has too many states.
[[nodiscard]] std::optional<Ends> walk(const toy::ToyCode& code);
// Of a search that recognises awaits; nothing if it does not come to its end.
[[nodiscard]] std::optional<Ends> explored_ends(const toy::ToyCode& code, const ReductionChoice& choice);

// What is wrong with the search's ends, in a sentence; nothing if they are right.
[[nodiscard]] std::optional<std::string> await_complaint(const Ends& walked, const toy::ToyCode& code,
                                                         const ReductionChoice& choice);

}  // namespace heddle::differential
