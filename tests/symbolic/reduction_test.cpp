// The symbolic engine against the explicit oracle on random automata: the same verdicts at the same depths, and the
// schedules that the peephole constraints leave are those they should.
#include <gtest/gtest.h>

#include <cstdlib>

#include "symbolic/bounded_check.hpp"
#include "symbolic/explicit_oracle.hpp"
#include "symbolic/possible.hpp"
#include "symbolic/random_automata.hpp"

namespace heddle::symbolic {
namespace {

using oracle::ExplicitOracle;
using oracle::Move;
using oracle::add_random_threads;

#ifdef HEDDLE_SLOW_BUILD
constexpr unsigned kShare = 5;
#else
constexpr unsigned kShare = 1;
#endif

// scripts/soak asks for more programs.
const unsigned kMore = std::getenv("HEDDLE_SOAK") != nullptr ? 20 : 1;

enum class Frames { AsBuilt, Narrowed };

// All maximal executions that satisfy the constraints, by asking for one solution after the other.
std::vector<std::vector<Move>> solutions(FixedAutomata& automata, UnrollOptions options,
                                         Frames frames = Frames::AsBuilt) {
  TermPool& pool = automata.pool();
  const std::unique_ptr<Solver> solver = make_solver(pool);
  Unrolling unrolling(automata, options);
  std::vector<std::vector<std::vector<Term>>> choices;  // per step and thread: the values chosen
  std::vector<std::vector<Move>> found;
  for (;;) {
    const Frame& frame = unrolling.frame();
    const Term over = pool.negate(frame.can_go_on);
    while (solver->check({&over, 1}) == Answer::Satisfiable) {
      std::vector<Move> execution;
      Term same = pool.truth(true);
      for (std::size_t k = 0; k < unrolling.steps(); ++k) {
        for (std::uint32_t t = 0; t < automata.thread_count(); ++t) {
          const Term run = unrolling.run(k, {t});
          if (solver->value(run) == 0) continue;
          same = pool.conj(same, run);
          Move move{t, {}};
          for (const Term choice : choices[k][t]) {
            const std::uint64_t value = solver->value(choice);
            move.choices.push_back(value);
            same = pool.conj(same, pool.equal(choice, pool.constant(value, 1)));
          }
          execution.push_back(move);
        }
      }
      found.push_back(execution);
      solver->require(pool.negate(same));
    }
    if (solver->check({&frame.can_go_on, 1}) == Answer::Unsatisfiable) return found;
    if (frames == Frames::Narrowed) {
      const Question ask = [&](Term term) { return solver->check({&term, 1}); };
      unrolling.narrow([&](const std::vector<Term>& terms) { return possible(pool, *solver, ask, terms); });
    }
    // One choice at most in a transition; which transition it is does not matter, since one location has but one.
    std::vector<std::vector<Term>> chosen(automata.thread_count());
    for (const Effect& effect : frame.effects) {
      for (const auto& [variable, value] : effect.bindings) {
        if (pool.name(variable) != "chosen") continue;
        const Term taken = pool.conj(effect.enabled, value);
        std::vector<Term>& list = chosen[effect.thread.value];
        if (list.empty()) {
          list.push_back(taken);
        } else {
          list.front() = pool.disj(list.front(), taken);
        }
      }
    }
    choices.push_back(chosen);
    for (const Term constraint : unrolling.step()) solver->require(constraint);
  }
}

// Moves without the choices of threads that did not choose: the solver's variable of a step belongs to whichever
// transition was taken.
std::vector<Move> matching(const std::map<std::vector<Move>, std::size_t>& known, std::vector<Move> solution) {
  for (const auto& [execution, number] : known) {
    bool fits = execution.size() == solution.size();
    for (std::size_t k = 0; fits && k < execution.size(); ++k) {
      fits = execution[k].thread == solution[k].thread &&
             (execution[k].choices.empty() || execution[k].choices == solution[k].choices);
    }
    if (fits) return execution;
  }
  return {};
}

struct Kept {
  std::size_t classes = 0;
  std::set<std::size_t> covered;
  std::size_t solutions = 0;
  std::size_t distinct = 0;
};

Kept kept(FixedAutomata& automata, const std::vector<std::vector<Move>>& executions, Peephole rules,
          UnrollOptions options) {
  const auto classes = ExplicitOracle(automata).classes(executions, rules);
  Kept result;
  std::set<std::size_t> all;
  for (const auto& [execution, number] : classes) all.insert(number);
  result.classes = all.size();
  std::set<std::vector<Move>> distinct;
  for (const std::vector<Move>& solution : solutions(automata, options)) {
    const std::vector<Move> execution = matching(classes, solution);
    EXPECT_TRUE(classes.contains(execution)) << "a schedule that the program does not have";
    if (classes.contains(execution)) result.covered.insert(classes.at(execution));
    distinct.insert(execution);
    ++result.solutions;
  }
  result.distinct = distinct.size();
  return result;
}

TEST(PeepholeTest, TwoThreadsKeepOneScheduleForEachTrace) {
  unsigned programs = 0;
  std::size_t executions_in_all = 0;
  std::size_t traces = 0;
  for (std::uint64_t seed = 1; programs < 50 * kMore / kShare; ++seed) {
    std::mt19937_64 random(seed);
    FixedAutomata automata;
    add_random_threads(automata, {.threads = 2, .most_operations = 3, .choices = seed % 3 == 0}, random);
    const auto executions = ExplicitOracle(automata).executions(60);
    if (!executions) continue;
    ++programs;
    executions_in_all += executions->size();
    for (const Peephole rules : {Peephole::Simple, Peephole::Full}) {
      const Kept left = kept(automata, *executions, rules, {.peephole = rules});
      EXPECT_EQ(left.covered.size(), left.classes) << "seed " << seed << " loses a trace";
      EXPECT_EQ(left.distinct, left.classes) << "seed " << seed << " keeps two schedules of a trace";
      if (rules == Peephole::Full) traces += left.classes;
    }
  }
  EXPECT_LT(traces * 2, executions_in_all) << "the programs have something to reduce";
}

TEST(PeepholeTest, MoreThreadsLoseNoTrace) {
  unsigned programs = 0;
  for (std::uint64_t seed = 1; programs < 25 * kMore / kShare; ++seed) {
    std::mt19937_64 random(seed * 7919);
    FixedAutomata automata;
    add_random_threads(automata, {.threads = 3, .most_operations = 2}, random);
    const auto executions = ExplicitOracle(automata).executions(120);
    if (!executions) continue;
    ++programs;
    const Kept left = kept(automata, *executions, Peephole::Full, {.peephole = Peephole::Full});
    EXPECT_EQ(left.covered.size(), left.classes) << "seed " << seed;
  }
}

TEST(PeepholeTest, EncodingsHaveTheSameSolutions) {
  for (std::uint64_t seed = 1; seed <= 10 * kMore / kShare; ++seed) {
    std::mt19937_64 random(seed * 104729);
    FixedAutomata automata;
    add_random_threads(automata, {.threads = 2 + static_cast<unsigned>(seed % 2), .most_operations = 2}, random);
    std::set<std::vector<Move>> expected;
    for (const Encoding encoding : {Encoding::Pairs, Encoding::Merged, Encoding::Dependent}) {
      const auto found = solutions(automata, {.peephole = Peephole::Full, .encoding = encoding});
      const std::set<std::vector<Move>> set(found.begin(), found.end());
      if (encoding == Encoding::Pairs) expected = set;
      EXPECT_EQ(set, expected) << "seed " << seed;
    }
  }
}

TEST(PeepholeTest, NarrowedFramesHaveTheSameSolutions) {
  for (std::uint64_t seed = 1; seed <= 20 * kMore / kShare; ++seed) {
    std::mt19937_64 random(seed * 1299709);
    FixedAutomata automata;
    add_random_threads(automata, {.threads = 2, .most_operations = 3, .choices = seed % 3 == 0}, random);
    if (!ExplicitOracle(automata).executions(60)) continue;
    for (const Peephole rules : {Peephole::None, Peephole::Full}) {
      const auto as_built = solutions(automata, {.peephole = rules});
      const auto narrowed = solutions(automata, {.peephole = rules}, Frames::Narrowed);
      EXPECT_EQ(std::set<std::vector<Move>>(narrowed.begin(), narrowed.end()),
                std::set<std::vector<Move>>(as_built.begin(), as_built.end()))
          << "seed " << seed << " with " << text(rules);
    }
  }
}

// Twice a number is never odd, which the form of a condition does not show: narrowed frames leave that way out, and the
// other one is open whenever the thread is there.
TEST(PeepholeTest, NarrowingDropsWhatNoExecutionDoes) {
  FixedAutomata automata;
  TermPool& pool = automata.pool();
  const Address entry = automata.add_object("entry", 1);
  const ThreadIndex thread = automata.add_thread("t");
  const Term x = automata.add_variable("x", 8, 0);
  const Term chosen = pool.variable("chosen", 8);
  const Term seen = pool.variable("seen", 8);
  const LocationId second = automata.add_location(thread);
  const LocationId end = automata.add_location(thread, LocationKind::Finished);
  const LocationId never = automata.add_location(thread, LocationKind::Finished);
  const Term even = pool.apply(Op::Mul, chosen, pool.constant(2, 8));
  automata.add_transition(thread, LocationId{0},
                          {second,
                           {Choose{chosen}, Store{automata.address(entry), even, Sharing::Atomic, kUnchecked}},
                           {{x, even}},
                           "store an even number"});
  const Load load{seen, automata.address(entry), 8, Sharing::Atomic, kUnchecked};
  const Term odd = pool.equal(pool.extract(seen, 0, 1), pool.truth(true));
  automata.add_transition(thread, second, {end, {load, Assume{pool.negate(odd)}}, {}, "even"});
  automata.add_transition(thread, second, {never, {load, Assume{odd}}, {}, "odd"});
  for (const Frames frames : {Frames::AsBuilt, Frames::Narrowed}) {
    const std::unique_ptr<Solver> solver = make_solver(pool);
    Unrolling unrolling(automata, {.peephole = Peephole::None});
    for (int step = 0; step < 2; ++step) {
      if (frames == Frames::Narrowed) {
        const Question ask = [&](Term term) { return solver->check({&term, 1}); };
        unrolling.narrow([&](const std::vector<Term>& terms) { return possible(pool, *solver, ask, terms); });
      }
      for (const Term constraint : unrolling.step()) solver->require(constraint);
    }
    EXPECT_EQ(pool.is_false(unrolling.at(thread, never)), frames == Frames::Narrowed);
    const Term both_steps = pool.conj(unrolling.run(0, thread), unrolling.run(1, thread));
    EXPECT_EQ(unrolling.at(thread, end) == both_steps, frames == Frames::Narrowed);
  }
}

TEST(PeepholeTest, NoneKeepsEveryInterleaving) {
  for (std::uint64_t seed = 1; seed <= 10 * kMore / kShare; ++seed) {
    std::mt19937_64 random(seed * 31);
    FixedAutomata automata;
    add_random_threads(automata, {.threads = 2, .most_operations = 2}, random);
    const auto executions = ExplicitOracle(automata).executions(200);
    ASSERT_TRUE(executions);
    EXPECT_EQ(solutions(automata, {.peephole = Peephole::None}).size(), executions->size()) << "seed " << seed;
  }
}

TEST(BoundedCheckTest, VerdictsAndDepthsAreTheOracles) {
  int failed = 0;
  int complete = 0;
  for (std::uint64_t seed = 1; seed <= 24 * kMore / kShare; ++seed) {
    for (const Peephole peephole : {Peephole::None, Peephole::Static, Peephole::Simple, Peephole::Full}) {
      std::mt19937_64 random(seed * 6151);
      FixedAutomata automata;
      const bool races = seed % 2 == 0;
      add_random_threads(automata,
                         {.threads = 2 + static_cast<unsigned>(seed % 2),
                          .most_operations = 3,
                          .checks = true,
                          .plain = races && seed % 4 == 0,
                          .choices = true},
                         random);
      const ExplicitOracle::Verdict expected = ExplicitOracle(automata).verdict(races);
      const std::unique_ptr<Solver> solver = make_solver(automata.pool());
      const CheckResult result =
          bounded_check(automata, *solver, {.steps = 30, .unroll = {.peephole = peephole, .races = races}});
      EXPECT_EQ(result.outcome, expected.failed ? Outcome::Failed : Outcome::Complete) << "seed " << seed;
      EXPECT_EQ(result.depth, expected.depth) << "seed " << seed << " with " << text(peephole);
      (expected.failed ? failed : complete) += 1;
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(complete, 0);
}

// Fig. 5 of the paper: 20 interleavings, 5 traces (tests/papers has the enumeration).
TEST(PeepholeTest, FigureFive) {
  FixedAutomata automata;
  TermPool& pool = automata.pool();
  const Address a = automata.add_object("a", 3);
  for (unsigned t = 0; t < 2; ++t) {
    const ThreadIndex thread = automata.add_thread("t" + std::to_string(t));
    const Term own = automata.address(a + 1 + t);
    const Term other = automata.address(a + 2 - t);
    const Term seen = pool.variable("seen", 8);
    const Term last = automata.add_variable("m", 8, 0);
    const LocationId second = automata.add_location(thread);
    const LocationId third = automata.add_location(thread);
    const LocationId end = automata.add_location(thread, LocationKind::Finished);
    const Store write{own, pool.constant(10, 8), Sharing::Atomic, kUnchecked};
    const Store add{own, pool.add(seen, 20), Sharing::Atomic, kUnchecked};
    automata.add_transition(thread, LocationId{0}, {second, {write}, {}, "A"});
    automata.add_transition(thread, second, {third, {Load{seen, own, 8, Sharing::Atomic, kUnchecked}, add}, {}, "B"});
    automata.add_transition(thread, third,
                            {end, {Load{seen, other, 8, Sharing::Atomic, kUnchecked}}, {{last, seen}}, "C"});
  }
  EXPECT_EQ(solutions(automata, {.peephole = Peephole::None}).size(), 20U);  // 6! / (3! 3!)
  EXPECT_EQ(solutions(automata, {.peephole = Peephole::Simple}).size(), 5U);
}

}  // namespace
}  // namespace heddle::symbolic
