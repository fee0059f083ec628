// Unrolling (section 3.1 of the paper): the states after 0, 1, 2, ... steps as terms over who ran and what was chosen.
//
// The states are functions of those variables, not variables of their own: the value of v after step k is
// ite(t ran in step k, e, v before), for each transition t that may run in step k and writes v. A location that a
// thread cannot have reached in k steps does not occur in state k at all.
//
// SCH is made of the constraints `schedule` (exactly one thread runs, and it is enabled) and `peephole`: if t1 of
// thread i and t2 of thread j > i are both enabled in state k and independent there, then not t2 in step k and t1 in
// step k + 1 (section 3.2). It comes in three forms with the same solutions: one constraint for each pair of
// transitions; merged for a transition that is independent of all of another thread's; or one constraint for each pair
// of threads, which names the dependent pairs (section 4).
//
// What the constraints exclude need not show in the form of a condition: that an entry of a table is never taken
// already, that the third block is never free. Every such way leads to locations and values of its own, and the states
// grow with each step by ways that no execution takes. `narrow` asks about them before a step is taken.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "symbolic/effect.hpp"
#include "symbolic/independence.hpp"

namespace heddle::symbolic {

enum class Encoding : std::uint8_t { Pairs, Merged, Dependent };

struct UnrollOptions {
  Peephole peephole = Peephole::Full;
  Encoding encoding = Encoding::Dependent;
  bool races = false;  // two accesses that may happen at once, not both atomic, one of them a write
  FailureId wild = 0;  // the failure of an access whose address may be anything
};

// Two accesses that race.
struct Racing {
  Term condition;
  std::size_t first, second;  // effects of the frame
};

// What can happen in one step, in state k.
struct Frame {
  std::vector<Effect> effects;
  std::vector<Term> runs;     // per thread: it takes the step (false if it cannot)
  std::vector<Term> enabled;  // per thread
  std::vector<Racing> races;
  std::vector<Term> restrictions;  // of the values chosen; to be required before anything is asked about the frame
  Term deadlock;
  Term bad;              // a failure, a race or a deadlock
  Term abandoned;        // a thread would violate an assumption: it goes no further
  Term can_go_on;        // some thread is enabled
  bool may_end = false;  // as far as locations tell, every thread may have nothing left to do
};

class Unrolling {
 public:
  Unrolling(Automata& automata, UnrollOptions options);

  // For each condition, whether it can be true together with all constraints so far; true if that is not known.
  using Possible = std::function<std::vector<bool>(const std::vector<Term>&)>;
  // Simplifies the frame by what the constraints so far exclude; what was possible in an earlier frame is not asked
  // about again. All questions about the frame's failures come before.
  void narrow(const Possible& possible);
  // The frame of the state reached so far.
  [[nodiscard]] const Frame& frame() const { return frame_; }
  // Takes a step; returns the constraints of SCH for it.
  [[nodiscard]] std::vector<Term> step();
  [[nodiscard]] std::size_t steps() const { return steps_; }
  // The variable that says whether a thread took step k.
  [[nodiscard]] Term run(std::size_t k, ThreadIndex thread) const { return runs_[k][thread.value]; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] Independence& independence() { return independence_; }
  // When a thread is at a location in the state reached so far.
  [[nodiscard]] Term at(ThreadIndex thread, LocationId location) const;
  [[nodiscard]] Term byte(Address address) const { return evaluator_.byte(state_, address); }
  [[nodiscard]] Term value(Term variable) const;

 private:
  struct Place {
    LocationId location;
    Term at;
  };

  void make_frame();
  void sum_up();
  [[nodiscard]] std::vector<Effect*> single_ways_out();
  void find_races();
  void find_deadlock();
  [[nodiscard]] std::vector<Term> schedule();
  [[nodiscard]] std::vector<Term> peephole(const Frame& before);
  void peephole_pair(const Frame& before, std::size_t i, std::size_t j, std::vector<Term>& constraints);
  void advance();

  Automata& automata_;
  TermPool& pool_;
  UnrollOptions options_;
  ValueSets sets_;
  Evaluator evaluator_;
  Independence independence_;
  State state_;
  State state_before_;  // the one the last step was taken from
  std::vector<std::vector<Place>> places_;
  Frame frame_;
  std::optional<Frame> before_;
  std::vector<std::vector<Term>> runs_;
  std::size_t steps_ = 0;
  // Transitions that were enabled in some execution, and those that were not where their thread had come to them.
  using TransitionId = std::tuple<ThreadIndex, LocationId, std::size_t>;
  std::set<TransitionId> seen_enabled_;
  std::set<TransitionId> seen_closed_;
};

}  // namespace heddle::symbolic
