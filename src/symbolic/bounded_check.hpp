// Bounded model checking, one step deeper at a time: is there a failure after k steps, and if not, does any execution
// go further? If none does, all schedules and all inputs have been covered.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "symbolic/solver.hpp"
#include "symbolic/unroll.hpp"

namespace heddle::symbolic {

struct DepthFigures {
  std::size_t depth = 0;
  double seconds = 0;  // in the solver, at this depth
  std::size_t terms = 0;
  SolverStatistics statistics;  // so far
};

struct CheckRequest {
  std::size_t steps = 100;
  UnrollOptions unroll;
  std::chrono::milliseconds time{std::chrono::hours(24)};  // for all of it
  bool keep_formula = false;                               // for to_smt_lib
  bool keep_independence = false;
  // Depths that an earlier check of the same has covered, from 0: they are not asked about again.
  std::vector<DepthFigures> covered = {};
  // Called whenever another depth has been covered, with the figures of all of them.
  std::function<void(const std::vector<DepthFigures>&)> covered_one_more = {};
};

struct ChosenInput {
  std::string name;
  std::uint64_t value = 0;
};

struct TakenStep {
  ThreadIndex thread;
  std::string label;
  std::vector<std::uint64_t> outcomes;  // of the events it stands for
  std::vector<ChosenInput> inputs;
};

enum class Fault : std::uint8_t { Failure, DataRace, Deadlock };

struct Counterexample {
  Fault fault = Fault::Failure;
  FailureId failure = 0;             // for Fault::Failure
  std::vector<ThreadIndex> threads;  // the one that fails; the two that race
  std::vector<TakenStep> steps;      // up to the failure; those that race or fail have taken their last step here
};

enum class Outcome : std::uint8_t {
  Complete,  // no failure, and no execution is longer
  Bounded,   // no failure up to the bound; longer executions exist
  Failed,
  OutOfTime,
};

struct CheckResult {
  Outcome outcome = Outcome::Complete;
  std::size_t depth = 0;  // steps covered
  std::optional<Counterexample> counterexample;
  std::vector<DepthFigures> depths;
  std::vector<Term> formula;  // with keep_formula: what the last question was about
  bool satisfiable = false;   // its answer
  std::string independence;   // with keep_independence: a line for each pair of transitions met
};

[[nodiscard]] CheckResult bounded_check(Automata& automata, Solver& solver, const CheckRequest& request);

// The formula for another solver: SMT-LIB 2, logic QF_BV, with the expected answer as :status.
[[nodiscard]] std::string to_smt_lib(const TermPool& pool, const std::vector<Term>& formula,
                                     std::optional<bool> satisfiable);

}  // namespace heddle::symbolic
