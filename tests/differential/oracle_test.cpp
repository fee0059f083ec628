// The oracle against closed formulas and against plain enumeration, the names of traces against their definition, and
// `dependent` against the programs.
#include "differential/oracle.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "differential/commutation.hpp"
#include "differential/generator.hpp"
#include "differential/random.hpp"
#include "differential/toy_text.hpp"
#include "model/dependency.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

std::size_t traces(const ToyCode& code, ToyOptions options = {}) {
  const OracleResult result = all_traces(code, options);
  EXPECT_FALSE(result.limit_hit);
  EXPECT_EQ(result.contradiction, std::nullopt);
  return result.traces.size();
}

// All interleavings one after the other: no names, no memory of what was seen.
struct Plain {
  Interleavings interleavings;
  std::set<SeenFinding> findings;
  std::set<TraceName> traces;
};

void enumerate(ToyProgram program, std::vector<Event>& events, Plain& plain) {
  const auto* const raised = program.raised();
  if (raised != nullptr) plain.findings.insert({raised->kind, raised->key});
  if (program.enabled().empty()) {
    ++(program.abandoned() ? plain.interleavings.abandoned : plain.interleavings.executions);
    if (const auto finding = program.conclude()) plain.findings.insert({finding->kind, finding->key});
    plain.traces.insert(trace_name(events));
    return;
  }
  for (auto t = program.enabled().first(); t; t = program.enabled().after(*t)) {
    const Outcomes outcomes = program.thread(*t).outcomes;
    for (Outcome o = outcomes.first; o < outcomes.end(); ++o) {
      ToyProgram next = program;
      events.push_back(next.step({*t, o}));
      enumerate(next, events, plain);
      events.pop_back();
    }
  }
}

Plain enumerate(const ToyCode& code) {
  Plain plain;
  std::vector<Event> events;
  enumerate(ToyProgram(code), events, plain);
  return plain;
}

// Two threads of k writes each.
ToyCode two_writers(unsigned k) {
  ToyCode code;
  code.threads.resize(2);
  for (Thread& thread : code.threads) thread.assign(k, write(0, 1));
  return code;
}

TEST(Oracle, WritersOfOneVariableAreBinomial) {
  for (unsigned k = 1; k <= 5; ++k) EXPECT_EQ(traces(two_writers(k)), binomial(2 * k, k));
}

TEST(Oracle, ReadersAreTwoToTheN) {
  for (unsigned n = 1; n <= 8; ++n) {
    ToyCode code{{{write(0, 1)}}, {}};
    for (unsigned i = 0; i < n; ++i) code.threads.push_back({read(0)});
    EXPECT_EQ(traces(code), 1U << n);
  }
}

TEST(Oracle, IndependentWritersAreOneTraceOfManyInterleavings) {
  const ToyCode code{{Thread(3, write(0, 1)), Thread(3, write(1, 1)), Thread(3, write(2, 1))}, {}};
  EXPECT_EQ(traces(code), 1U);
  EXPECT_EQ(all_traces(code).interleavings, (Interleavings{1680, 0}));  // 9! / 3!^3
}

TEST(Oracle, CriticalSectionsComeInAnyOrder) {
  const Thread section{lock(0), write(0, 1), unlock(0)};
  EXPECT_EQ(traces({{section, section, section}, {}}), 6U);  // 3!
}

TEST(Oracle, TheLockingOrderThatDeadlocks) {
  const OracleResult result =
      all_traces({{{lock(0), lock(1), unlock(1), unlock(0)}, {lock(1), lock(0), unlock(0), unlock(1)}}, {}});
  EXPECT_EQ(result.traces.size(), 3U);  // either goes first, or both are stuck
  EXPECT_EQ(result.finding_kinds(), std::set<std::string>{"deadlock"});
}

TEST(Oracle, ChoicesMultiply) {
  EXPECT_EQ(traces({{{choose(3), choose(2, 1)}, {choose(4)}}, {}}), 24U);  // 3 * 2 * 4, independent of the order
}

TEST(Oracle, SignalWakesAnyWaiter) {
  // The waker has the mutex only after both posts, and so, as they are made under the mutex, when both wait. Either
  // waiter is first (2), the waker's first wait comes between the posts or behind them (2), the signal wakes either
  // (2).
  const Thread waiter{lock(0), on(Code::SemPost, 0), cond_wait(0, 0), unlock(0)};
  const Thread waker{on(Code::SemWait, 0), on(Code::SemWait, 0), lock(0), signal(0), unlock(0)};
  const OracleResult result = all_traces({{waiter, waiter, waker}, {0}});
  EXPECT_EQ(result.finding_kinds(), std::set<std::string>{"deadlock"});
  EXPECT_EQ(result.traces.size(), 8U);
}

TEST(Oracle, EndingsAreToldApart) {
  const OracleResult asserted = all_traces({{{read(0), expect(0, 0)}, {write(0, 1)}}, {}});
  EXPECT_EQ(asserted.count(Ending::Failed), 1U);
  EXPECT_EQ(asserted.count(Ending::Maximal), 1U);
  const OracleResult assumed = all_traces({{{read(0), assume(0, 0)}, {write(0, 1)}}, {}});
  EXPECT_EQ(assumed.count(Ending::Abandoned), 1U);
  EXPECT_EQ(assumed.interleavings, (Interleavings{1, 1}));
  EXPECT_TRUE(assumed.findings.empty());
}

TEST(Oracle, LimitsAreSaid) {
  const ToyCode code = two_writers(6);
  EXPECT_TRUE(all_traces(code, {}, {.prefixes = 100}).limit_hit);
  EXPECT_TRUE(all_traces(code, {}, {.events = 5}).limit_hit);
  EXPECT_FALSE(all_traces(code).limit_hit);
}

// Merging equivalent prefixes loses nothing: interleavings, findings and traces are those of plain enumeration.
TEST(Oracle, AgreesWithPlainEnumeration) {
  for (const Family family : kFamilies) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const ToyCode code = generate(family, seed, {.visible_operations = 7});
      const OracleResult result = all_traces(code);
      if (result.limit_hit || result.interleavings.executions + result.interleavings.abandoned > 3000) continue;
      const Plain plain = enumerate(code);
      EXPECT_EQ(result.contradiction.value_or(""), "") << text(family) << " " << seed << "\n" << to_text(code);
      EXPECT_EQ(result.interleavings, plain.interleavings) << text(family) << " " << seed << "\n" << to_text(code);
      EXPECT_EQ(result.findings, plain.findings) << text(family) << " " << seed << "\n" << to_text(code);
      EXPECT_EQ(result.traces.size(), plain.traces.size()) << text(family) << " " << seed << "\n" << to_text(code);
    }
  }
}

void expect_truth(Family family, std::uint64_t seeds, ToyOptions options) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const ToyCode code = generate(family, seed);
    const auto error = commutation_error(code, options, {.prefixes = 400});
    ASSERT_EQ(error.value_or(""), "") << text(family) << " " << seed << "\n" << to_text(code);
  }
}

TEST(Commutation, DependentTellsTheTruth) {
  for (const Family family : kFamilies) expect_truth(family, family == Family::Power ? 10 : 50, {});
}

TEST(Commutation, BudgetsOfTimeoutsAndSpuriousWakeUpsIncluded) {
  for (const Family family : {Family::TryLock, Family::Condition, Family::All}) {
    expect_truth(family, 50, {.timeouts = 0, .spurious_wakeups = 1});
    expect_truth(family, 50, {.timeouts = 1, .spurious_wakeups = 2});
  }
}

// One execution, drawn at random.
std::vector<Event> random_execution(const ToyCode& code, Random& random) {
  std::vector<Event> events;
  ToyProgram program(code);
  while (!program.enabled().empty()) {
    auto thread = program.enabled().first();
    for (std::size_t skip = random.below(program.enabled().size()); skip > 0; --skip) {
      thread = program.enabled().after(*thread);
    }
    const Outcomes outcomes = program.thread(*thread).outcomes;
    events.push_back(program.step({*thread, outcomes.first + random.below(outcomes.count)}));
  }
  return events;
}

TEST(TraceName, StaysWhenIndependentNeighboursChangePlacesAndOnlyThen) {
  Random random(5);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::vector<Event> events = random_execution(generate(Family::All, seed), random);
    for (int change = 0; change < 50 && events.size() > 1; ++change) {
      const std::size_t i = random.below(events.size() - 1);
      const bool must_stay = dependent(events[i], events[i + 1]);
      const TraceName before = trace_name(events);
      std::swap(events[i], events[i + 1]);
      EXPECT_EQ(trace_name(events) != before, must_stay);
      if (must_stay) std::swap(events[i], events[i + 1]);
    }
  }
}

TEST(TraceName, TellsOutcomesApart) {
  Event event{.op = {.kind = OpKind::Choose}, .thread = ThreadId{1}, .index = 1};
  const TraceName first = trace_name({&event, 1});
  event.outcome = 1;
  EXPECT_NE(trace_name({&event, 1}), first);
}

}  // namespace
}  // namespace heddle::differential
