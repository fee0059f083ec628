// The effect of one transition in one symbolic state: when it is enabled, which memory it reads and writes and with
// which values, what it leaves behind, and how it can fail.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "symbolic/automaton.hpp"
#include "symbolic/value_set.hpp"

namespace heddle::symbolic {

using Variables = std::unordered_map<Term, Term, TermHash>;
using Bytes = std::unordered_map<Address, Term>;

// A state: the memory, and the variables of all threads, as terms over the choices made so far.
struct State {
  Bytes bytes;
  Variables variables;
};

struct Access {
  bool write = false;
  Sharing sharing = Sharing::Atomic;
  Term address;
  unsigned size = 1;             // bytes
  Term value;                    // read, or to be written
  std::vector<Address> targets;  // what the address may be
  Term temporary;                // of a read: the variable it goes to
  bool guard_only = false;       // of a read: its value decides what the transition's guard is, and nothing else
};

struct Input {
  std::string name;
  Term value;
};

struct Failing {
  Term condition;
  FailureId failure;
  std::size_t events;  // of the transition, before it fails
};

struct Effect {
  ThreadIndex thread;
  LocationId source;
  std::size_t number = 0;  // of the transition, among those that leave the source
  LocationId target;
  Term enabled;
  std::vector<Failing> failings;  // exclude each other and `enabled`
  std::vector<Access> accesses;   // private ones left out
  std::map<Address, Term> written;
  Variables updates;
  std::vector<Spawn> spawns;   // arguments are terms over the state
  std::vector<Term> guard;     // conditions assumed or checked, over the transition's own variables
  Variables bindings;          // of those variables
  std::vector<Term> outcomes;  // of the events it stands for
  std::vector<Input> inputs;
  std::vector<Term> restrictions;  // of the values chosen: hold in every execution
};

class Evaluator {
 public:
  Evaluator(Automata& automata, ValueSets& sets) : automata_(automata), pool_(automata.pool()), sets_(sets) {}

  // From now on values are chosen anew. Within a frame the transitions that leave a location choose the same ones: else
  // each could choose a value with which another one would be enabled.
  void new_frame() { choices_.clear(); }
  // `at`: when the thread is at the source of the transition.
  [[nodiscard]] Effect evaluate(const State& state, const Transition& transition, Term at, FailureId wild);
  // The guard, if the temporary of a read had another value.
  [[nodiscard]] Term guard_with(const State& state, const Effect& effect, Term temporary, Term value);
  [[nodiscard]] Term byte(const State& state, Address address) const;

 private:
  class Run;
  Automata& automata_;
  TermPool& pool_;
  ValueSets& sets_;
  Variables choices_;
};

}  // namespace heddle::symbolic
