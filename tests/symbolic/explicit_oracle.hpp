// Automata run with numbers in place of terms: every execution, one after the other. Written apart from the engine (it
// shares the automata and nothing of how they are evaluated), so that the two can be compared.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "symbolic/fixed_automata.hpp"
#include "symbolic/independence.hpp"

namespace heddle::symbolic::oracle {

struct ConcreteState {
  std::vector<std::uint32_t> locations;
  std::map<std::uint32_t, std::uint64_t> variables;  // by index of the term
  std::map<Address, std::uint64_t> bytes;
  friend auto operator<=>(const ConcreteState&, const ConcreteState&) = default;
};

// What a thread did: the thread, and the values it chose.
struct Move {
  std::uint32_t thread = 0;
  std::vector<std::uint64_t> choices;
  friend auto operator<=>(const Move&, const Move&) = default;
};

struct Touch {
  bool write = false;
  Address address = 0;
  unsigned size = 1;
  std::uint64_t value = 0;
  Term temporary;
  Sharing sharing = Sharing::Atomic;
};

// A move in a state: what it touches, and where it leads.
struct Taken {
  Move move;
  std::vector<Touch> touches;
  const Transition* transition = nullptr;
  std::map<std::uint32_t, std::uint64_t> temporaries;
  ConcreteState before, after;
};

struct Possible {
  std::vector<Taken> moves;
  bool fails = false;
};

class ExplicitOracle {
 public:
  explicit ExplicitOracle(FixedAutomata& automata) : automata_(automata) {}

  [[nodiscard]] ConcreteState initial();
  // The moves of all threads; with several values to choose, one for each.
  [[nodiscard]] Possible possible(const ConcreteState& state);
  [[nodiscard]] bool deadlocked(const ConcreteState& state, const Possible& possible) const;
  [[nodiscard]] static bool races(const Possible& possible);

  // Whether two moves that are possible in one state are independent there, by the rules that `peephole` stands for
  // (Simple or Full).
  [[nodiscard]] bool independent(const Taken& a, const Taken& b, Peephole peephole) const;

  // Every maximal execution; nothing if there are more than `most`.
  [[nodiscard]] std::optional<std::vector<std::vector<Move>>> executions(std::size_t most);
  // The class of each execution: executions that differ by swapping adjacent independent moves have one number.
  [[nodiscard]] std::map<std::vector<Move>, std::size_t> classes(const std::vector<std::vector<Move>>& executions,
                                                                 Peephole peephole);

  struct Verdict {
    bool failed = false;
    std::size_t depth = 0;  // of the first failure, deadlock or race; else the length of the longest execution
  };
  [[nodiscard]] Verdict verdict(bool with_races);

 private:
  [[nodiscard]] std::uint64_t evaluate(Term term, const ConcreteState& state,
                                       const std::map<std::uint32_t, std::uint64_t>& temporaries);
  void take(const ConcreteState& state, std::uint32_t thread, const Transition& transition, std::size_t action,
            Taken partial, Possible& found);
  void collect(const ConcreteState& state, std::vector<Move>& prefix, std::vector<std::vector<Move>>& found,
               std::size_t most);
  [[nodiscard]] std::optional<Taken> follow(const ConcreteState& state, const Move& move);
  [[nodiscard]] bool unread(const Taken& reader, const Touch& read, const Taken& writer, const Touch& write,
                            Peephole peephole) const;
  [[nodiscard]] bool guard_only(const Transition& transition, Term temporary) const;

  FixedAutomata& automata_;
};

}  // namespace heddle::symbolic::oracle
