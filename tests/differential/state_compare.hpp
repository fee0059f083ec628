// Searches over states against their oracle.
#pragma once

#include <optional>
#include <string>

#include "differential/state_oracle.hpp"
#include "explore/stateful/state_search.hpp"

namespace heddle::differential {

struct StatesSearched {
  ExploreResult result;
  LocalStates locals;
  std::set<SeenFinding> findings;
  bool livelock = false;
  std::optional<std::string> lasso_fault;  // the loop printed does not lead back to where it began
};

[[nodiscard]] StatesSearched search_states(const toy::ToyCode& code, toy::ToyOptions options,
                                           const StateSearchOptions& search);

// What is wrong with the search's answer, in a sentence; nothing if it is right. All: local states, findings, whether
// there is a deadlock or a livelock. Without Cartesian reduction also the number of states; without any, of
// transitions.
[[nodiscard]] std::optional<std::string> complaint(const StatesSearched& searched, const StateOracleResult& oracle,
                                                   StateReduction reduction);

[[nodiscard]] std::string_view text(StateReduction reduction);

}  // namespace heddle::differential
