// What a static analysis would say about a toy program: read off its instructions, so that the persistent sets made of
// it can be compared with the oracle.
#pragma once

#include <memory>

#include "explore/reductions.hpp"
#include "explore/static_sets.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle::differential {

// How exact the analysis is. A real one is not, and a set must be persistent whatever it does not know.
enum class Exactness : std::uint8_t {
  Exact,          // each instruction's own future, each object by itself
  MergedObjects,  // pairs of objects are taken for one, as the elements of an array are
  WholeThreads,   // a thread may do anything that it does anywhere
  ThirdUnknown,   // of every third instruction nothing is known
};

[[nodiscard]] StaticKnowledge toy_knowledge(const toy::ToyCode& code, toy::ToyOptions options,
                                            Exactness exactness = Exactness::Exact);

// A reduction that may be static: if it is told nothing, by an exact analysis.
struct ToyReduction {
  StaticKnowledge known;
  std::unique_ptr<Reduction> reduction;
};
[[nodiscard]] std::unique_ptr<ToyReduction> reduction_for(const toy::ToyCode& code, toy::ToyOptions options,
                                                          ReductionChoice choice);

}  // namespace heddle::differential
