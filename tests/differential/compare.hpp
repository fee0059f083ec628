// A search against the oracle: the same traces, the same findings; one execution for each trace, and counted as such;
// for the optimal search nothing blocked.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "differential/oracle.hpp"
#include "explore/engine.hpp"
#include "explore/reductions.hpp"

namespace heddle::differential {

// What a search explored of a toy program.
struct Searched {
  std::map<TraceName, std::size_t> traces;  // how often each was run to its end
  std::set<SeenFinding> findings;
  ExploreResult result;
};

// With a static reduction that is told nothing: by what toy_knowledge.hpp says.
[[nodiscard]] Searched search(const toy::ToyCode& code, toy::ToyOptions options, const ReductionChoice& choice);

// What is wrong with the search's answer, in a sentence; nothing if it is right.
[[nodiscard]] std::optional<std::string> complaint(const Searched& searched, const OracleResult& oracle,
                                                   const ReductionChoice& choice);

}  // namespace heddle::differential
