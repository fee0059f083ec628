// Small random automata: reads, writes, additions, arrays with computed indices, branches, waits, locks, choices.
#pragma once

#include <random>

#include "symbolic/fixed_automata.hpp"

namespace heddle::symbolic::oracle {

struct RandomShape {
  unsigned threads = 2;
  unsigned most_operations = 3;
  bool checks = false;   // assertions that may fail
  bool plain = false;    // accesses that may race
  bool choices = false;  // values chosen freely
};

void add_random_threads(FixedAutomata& automata, const RandomShape& shape, std::mt19937_64& random);

}  // namespace heddle::symbolic::oracle
