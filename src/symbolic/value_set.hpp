// Which values a term may have: the points-to sets of pointers, and the ranges of indices.
//
// A set is a list of values, or of whole objects cut into strides ("every address of object 7 that is 4 modulo 8"), or
// everything. It never leaves out a value the term can have; conditions are not looked at. Sets are computed on
// unrolled terms, so they know what was stored on which way: the analysis is sensitive to flow and to calling contexts.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "symbolic/automaton.hpp"
#include "symbolic/term.hpp"

namespace heddle::symbolic {

struct Strides {
  Address base = 0;  // class and object; offset 0
  unsigned log_stride = 0;
  std::uint32_t residue = 0;
  friend auto operator<=>(const Strides&, const Strides&) = default;
};

struct ValueSet {
  bool everything = false;
  std::vector<std::uint64_t> values;  // ascending
  std::vector<Strides> strides;
};

class ValueSets {
 public:
  ValueSets(const TermPool& pool, const Automata& automata) : pool_(pool), automata_(automata) {}
  [[nodiscard]] const ValueSet& of(Term term);
  // The addresses of `size` bytes inside existing objects that an address term may have, ascending; nothing if it may
  // be any address.
  [[nodiscard]] std::optional<std::vector<Address>> targets(Term address, unsigned size);

 private:
  static constexpr std::size_t kMost = 512;
  ValueSet compute(const Node& node);
  ValueSet binary(const Node& node, const ValueSet& a, const ValueSet& b);
  [[nodiscard]] unsigned trailing_zeros(Term term) const;
  static void tidy(ValueSet& set);

  const TermPool& pool_;
  const Automata& automata_;
  std::unordered_map<Term, ValueSet, TermHash> memo_;
};

}  // namespace heddle::symbolic
