// The guarded independence relation (Wang, Yang, Kahlon, Gupta: Peephole partial order reduction, section 2.2).
//
// Two transitions of different threads that are both enabled in a state are independent there if the guard holds: then
// neither changes whether the other is enabled nor what it does, and both orders lead to one state. The guard is a
// conjunction over the pairs of accesses of which one writes. Each pair has to be harmless by one of the paper's rules:
//   1      they never touch the same object;
//   2, 3   their indices (a[i], a[j]) or pointers (*p, *q) differ: here both are addresses;
//   4(a)   one reads what the other writes, and the write does not change the value;
//   4(b)   both write, the same value;
//   4(c)   one reads it only to decide its guard, which holds with the new value, too. This needs that
//          they meet nowhere else: a guard may bear each of two changes and yet not both.
// A combined pattern is a disjunction: "i != j || a[i] == e".
//
// Static: rule 1 alone, with objects known before the search (all of an array is one object, unless both indices are
// constants). Simple: rules 1 to 3. Full: all.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "symbolic/effect.hpp"

namespace heddle::symbolic {

enum class Peephole : std::uint8_t { None, Static, Simple, Full };

class Independence {
 public:
  Independence(TermPool& pool, Evaluator& evaluator, Peephole peephole)
      : pool_(pool), evaluator_(evaluator), peephole_(peephole) {}

  // The guard cG of a pair of effects in one state.
  [[nodiscard]] Term guard(const State& state, const Effect& first, const Effect& second);
  // Whether two accesses touch a common byte.
  [[nodiscard]] Term overlap(const Access& a, const Access& b);
  // The rules behind a guard that is not false, for people: "1", "2/3", "4a", ...
  [[nodiscard]] std::set<std::string> rules(const State& state, const Effect& first, const Effect& second);

 private:
  [[nodiscard]] static bool may_overlap(const Access& a, const Access& b);
  [[nodiscard]] bool statically_disjoint(const Access& a, const Access& b) const;
  // The condition of rule 4 for two accesses to one place.
  [[nodiscard]] Term harmless(const State& state, const Effect& of_a, const Access& a, const Effect& of_b,
                              const Access& b);
  [[nodiscard]] Term unread(const State& state, const Effect& reader, const Access& read, const Effect& writer,
                            const Access& write);
  // No other read of the one meets a write of the other.
  [[nodiscard]] Term others_apart(const Effect& reader, const Access& read, const Effect& writer, const Access& write);

  TermPool& pool_;
  Evaluator& evaluator_;
  Peephole peephole_;
};

[[nodiscard]] std::string_view text(Peephole peephole);

}  // namespace heddle::symbolic
