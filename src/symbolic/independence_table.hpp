// The guarded independence relation for people: one line for each pair of transitions that a search has met.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "symbolic/unroll.hpp"

namespace heddle::symbolic {

class IndependenceTable {
 public:
  // Takes in the pairs that can both be enabled in the state reached.
  void add(Automata& automata, Unrolling& unrolling);
  [[nodiscard]] std::string text() const;

 private:
  struct Entry {
    bool always = true;           // independent in every state met
    bool never = true;            // dependent in every state met
    std::set<std::string> rules;  // those by which it is independent, where it is
  };
  std::map<std::pair<std::string, std::string>, Entry> pairs_;
};

}  // namespace heddle::symbolic
