// Static persistent sets against the oracle: every trace and every finding, with sleep sets each trace once, however
// little the analysis knows; and that they leave out what they are there to leave out.
#include <gtest/gtest.h>

#include <algorithm>

#include "differential/compare.hpp"
#include "differential/generator.hpp"
#include "differential/loops.hpp"
#include "differential/state_oracle.hpp"
#include "differential/toy_knowledge.hpp"
#include "differential/toy_text.hpp"
#include "explore/search_run.hpp"
#include "explore_all.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

constexpr std::size_t kMostTraces = 200;

#ifdef HEDDLE_SLOW_BUILD
constexpr std::uint64_t kPrograms = 8;
#else
constexpr std::uint64_t kPrograms = 40;
#endif

ReductionChoice choose_static(bool sleep_sets, bool dynamic = false, ThreadOrder order = ThreadOrder::Lowest) {
  return {.kind = ReductionKind::Static,
          .order = order,
          .persistent = {PersistentVariant::Combined, sleep_sets},
          .dynamic = dynamic,
          .known = nullptr};
}

std::vector<ReductionChoice> all_static() {
  return {choose_static(true), choose_static(false), choose_static(true, false, ThreadOrder::Highest),
          choose_static(true, true), choose_static(false, true)};
}

void expect_right(const ToyCode& code, ToyOptions options, Exactness exactness) {
  const OracleResult oracle = all_traces(code, options);
  if (oracle.limit_hit || oracle.traces.size() > kMostTraces) return;
  const StaticKnowledge known = toy_knowledge(code, options, exactness);
  for (ReductionChoice choice : all_static()) {
    // Without sleep sets every order of independent steps that the sets leave in is run.
    if (!choice.persistent.sleep_sets && oracle.interleavings.executions > 5000) continue;
    choice.known = &known;
    const auto what = complaint(search(code, options, choice), oracle, choice);
    EXPECT_FALSE(what) << (choice.persistent.sleep_sets ? "with" : "without") << " sleep sets, "
                       << (choice.dynamic ? "static and dynamic" : "static") << ", exactness "
                       << static_cast<int>(exactness) << ": " << *what << "\n"
                       << to_text({"", code, options, {}});
  }
}

class StaticSetsOfEachFamily : public testing::TestWithParam<Family> {};

TEST_P(StaticSetsOfEachFamily, AgreesWithTheOracle) {
  for (std::uint64_t seed = 6'000'000; seed < 6'000'000 + kPrograms; ++seed) {
    const ToyOptions options{.timeouts = static_cast<unsigned>(seed % 3),
                             .spurious_wakeups = static_cast<unsigned>(seed % 5 == 0)};
    expect_right(generate(GetParam(), seed), options, static_cast<Exactness>(seed % 4));
    if (HasFailure()) return;
  }
}

// A search over states by static sets, run again without them if the states form a cycle.
struct ByStates {
  std::set<SeenFinding> findings;
  bool livelock = false;
  SearchResult result;
};

ByStates search_states(const ToyCode& code, ToyOptions options, const StaticKnowledge& known, bool sleep_sets) {
  options.awaits = false;  // as the oracle has it
  ToyProgram program(code, options);
  Collected collected;
  SearchRequest request;
  request.mode = SearchMode::States;
  request.reduction = choose_static(sleep_sets);
  request.reduction.known = &known;
  request.states.reduction = sleep_sets ? StateReduction::Sleep : StateReduction::None;
  request.states.store.max_memory = std::uint64_t{1} << 26U;
  request.explore.keep_going = true;
  ByStates found;
  found.result = SearchRun(program, collected, request).run();
  for (const Finding& finding : collected.findings) {
    if (finding.kind == FindingKind::Livelock) {
      found.livelock = true;
    } else {
      found.findings.insert({finding.kind, finding.key});
    }
  }
  return found;
}

void expect_states_right(const ToyCode& code, ToyOptions options, Exactness exactness) {
  const StateOracleResult oracle = all_states(code, options, 1500);
  if (oracle.limit_hit) return;
  const StaticKnowledge known = toy_knowledge(code, options, exactness);
  for (const bool sleep_sets : {false, true}) {
    const ByStates found = search_states(code, options, known, sleep_sets);
    const bool right = found.result.explored.ended == Ended::Complete && found.findings == oracle.findings &&
                       found.livelock == oracle.livelock;
    EXPECT_TRUE(right) << (sleep_sets ? "with" : "without") << " sleep sets: " << found.findings.size()
                       << " findings instead of " << oracle.findings.size() << ", livelock: " << found.livelock
                       << " instead of " << oracle.livelock << "\n"
                       << to_text({"", code, options, {}});
    EXPECT_LE(found.result.explored.statistics.states, oracle.states);
  }
}

TEST_P(StaticSetsOfEachFamily, SearchesOverStatesAgreeWithTheirOracle) {
  for (std::uint64_t seed = 7'000'000; seed < 7'000'000 + kPrograms / 2; ++seed) {
    const ToyOptions options{.timeouts = static_cast<unsigned>(seed % 3),
                             .spurious_wakeups = static_cast<unsigned>(seed % 5 == 0)};
    expect_states_right(generate(GetParam(), seed), options, static_cast<Exactness>(seed % 4));
    expect_states_right(generate_with_loops(GetParam(), seed), options, static_cast<Exactness>(seed % 4));
    if (HasFailure()) return;
  }
}

std::string family_name(const testing::TestParamInfo<Family>& info) {
  std::string name(text(info.param));
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, StaticSetsOfEachFamily, testing::ValuesIn(kFamilies), family_name);

std::uint64_t executions(const ToyCode& code, const ReductionChoice& choice) {
  return search(code, {}, choice).result.statistics.executions;
}

// Two threads with two operations each on variables of their own: 4!/(2!2!) = 6 interleavings, all of one trace.
TEST(StaticSets, ThreadsThatShareNothingRunOneAfterTheOther) {
  const ToyCode code{{{write(0, 1), write(0, 2)}, {write(1, 1), write(1, 2)}}, {}};
  EXPECT_EQ(executions(code, {ReductionKind::None, ThreadOrder::Lowest, {}}), 6U);
  EXPECT_EQ(executions(code, choose_static(false)), 1U);
  const StaticKnowledge merged = toy_knowledge(code, {}, Exactness::MergedObjects);
  ReductionChoice choice = choose_static(false);
  choice.known = &merged;
  EXPECT_EQ(executions(code, choice), 6U);  // for the analysis they share one object
}

// What a thread may still do counts, not what it has done: when thread 1 is past x, thread 0's x is nobody else's. So 2
// orders of x times 2 of y. If a thread is taken to do anywhere what it does somewhere, all 4!/(2!2!) = 6 interleavings
// are left.
TEST(StaticSets, FuturesShrinkAlongTheThread) {
  const Thread thread{write(0, 1), write(1, 1)};
  const ToyCode code{{thread, thread}, {}};
  EXPECT_EQ(executions(code, choose_static(false)), 4U);
  const StaticKnowledge whole = toy_knowledge(code, {}, Exactness::WholeThreads);
  ReductionChoice choice = choose_static(false);
  choice.known = &whole;
  EXPECT_EQ(executions(code, choice), 6U);
}

// Critical sections of one lock: the order in which it is taken, 3! = 6, and nothing else. Inside, whoever holds it is
// alone: the release conflicts with no acquisition that waits.
TEST(StaticSets, CriticalSectionsAreNotInterleaved) {
  const Thread thread{lock(0), unlock(0)};
  EXPECT_EQ(executions({{thread, thread, thread}, {}}, choose_static(false)), 6U);
}

// A try-lock sees whether the lock is held: before, inside and after the critical section.
TEST(StaticSets, ATryLockConflictsWithTheRelease) {
  const ToyCode code{{{lock(0), unlock(0)}, {on(Code::TryLock, 0)}}, {}};
  EXPECT_EQ(executions(code, choose_static(false)), 3U);
}

// main creates two threads and joins them: creation depends on nothing that is there, and of a main that waits for a
// thread nobody has to think while that thread has not moved. So the two writes, in 2 orders.
TEST(StaticSets, CreationAndJoinAddNothing) {
  const ToyCode code{{{create(1), create(2), join(1), join(2), read(0)}, {write(0, 1)}, {write(0, 2)}}, {}};
  EXPECT_EQ(executions(code, choose_static(true)), 2U);
  EXPECT_LT(executions(code, choose_static(false)), executions(code, {ReductionKind::None, ThreadOrder::Lowest, {}}));
}

// main waits for thread 1 and then writes what thread 2 writes: thread 1, which touches nothing of theirs, decides when
// main can. 2 traces.
TEST(StaticSets, WhoIsWaitedForBelongsToWhoWaits) {
  const ToyCode code{{{create(1), create(2), join(1), write(0, 1)}, {write(1, 1)}, {write(0, 2)}}, {}};
  for (const ReductionChoice& choice : all_static()) {
    EXPECT_EQ(search(code, {}, choice).traces.size(), 2U);
  }
}

// A thread that does not exist yet counts through main, which may create it: thread 1's write must also be run before
// the write of the thread to come. 2 traces.
TEST(StaticSets, ThreadsToComeCountThroughTheirCreator) {
  const ToyCode code{{{write(1, 1), create(2)}, {write(0, 1)}, {write(0, 2)}}, {}};
  for (const ReductionChoice& choice : all_static()) {
    EXPECT_EQ(search(code, {}, choice).traces.size(), 2U);
  }
}

// Thread 0 goes round and round on its own variable: a persistent set of its own in every state of the circle, from
// which thread 1, whose assertion fails, is left out for ever. The search has to notice and try without.
TEST(StaticSets, NobodyIsLeftOutAllAroundACycle) {
  const ToyCode code{{{write(0, 1), write(0, 0), jump_if(1, 0, 0)}, {read(1), expect(0, 1)}}, {}};
  const StaticKnowledge known = toy_knowledge(code, {});
  for (const bool sleep_sets : {false, true}) {
    const ByStates found = search_states(code, {}, known, sleep_sets);
    EXPECT_TRUE(found.result.states->static_in_vain);
    ASSERT_EQ(found.findings.size(), 1U);
    EXPECT_EQ(found.findings.begin()->kind, FindingKind::Assertion);
  }
}

// The write-lock's last conflict is the read-unlock, before which the static set is that unlock alone. Had nothing
// behind it been looked at (section 4 as printed), the read-lock would never be reversed: 1 of 2 traces.
TEST(StaticSets, DynamicRefinementLooksBehindConflictsThatCannotBeReversed) {
  const ToyCode code{
      {{on(Code::ReadLock, 0), on(Code::ReadUnlock, 0)}, {on(Code::WriteLock, 0), on(Code::WriteUnlock, 0)}}, {}};
  EXPECT_EQ(search(code, {}, choose_static(true, true)).traces.size(), 2U);
  EXPECT_EQ(search(code, {}, choose_static(false, true)).traces.size(), 2U);
}

// Found at random: the execution `3 3 3 2 0` stood before a state whose static set was asleep; had it ended there, that
// thread 0 comes too late behind thread 2's unlock would not have shown, and 1 of 54 traces was lost.
TEST(StaticSets, AnExecutionGoesOnUntilEverybodyIsAsleep) {
  const Thread try_to_write{on(Code::TryWriteLock, 0), jump_if(0, 0, 4), write(0, 2), on(Code::WriteUnlock, 0)};
  const Thread try_to_read{on(Code::TryReadLock, 0), jump_if(0, 0, 4), write(1, 2), on(Code::ReadUnlock, 0)};
  const Thread both{read(0), on(Code::TryWriteLock, 0, 1), jump_if(1, 0, 4), on(Code::WriteUnlock, 0)};
  expect_right({{try_to_write, {read(0)}, try_to_read, both}, {}}, {}, Exactness::ThirdUnknown);
}

}  // namespace
}  // namespace heddle::differential
