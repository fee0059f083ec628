// The oracle for searches over states: the whole graph of a toy program, breadth first, over copies of the program and
// a set of its descriptions as text. It shares nothing with the searches but the toy back-end.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "differential/oracle.hpp"

namespace heddle::differential {

using LocalStates = std::map<std::uint32_t, std::set<std::string>>;  // by thread: the bytes of its local part

struct StateOracleResult {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  // a blocked thread has one, back to the same state
  LocalStates locals;
  std::set<SeenFinding> findings;  // without livelocks
  bool livelock = false;
  bool limit_hit = false;  // then everything else is a part only
};

[[nodiscard]] StateOracleResult all_states(const toy::ToyCode& code, toy::ToyOptions options, std::size_t limit);

}  // namespace heddle::differential
