// The reductions against the oracle: every trace, every finding, one execution for each trace, nothing blocked in the
// optimal search. A slice of what scripts/soak runs, the corpus of programs that once showed something, and the
// variants that are known to be wrong, to show that the tests would notice.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/contract.hpp"
#include "differential/compare.hpp"
#include "differential/generator.hpp"
#include "differential/toy_text.hpp"
#include "explore/self_check.hpp"
#include "explore_all.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

constexpr std::size_t kMostTraces = 200;

// Programs of each family; a fifth of them where a sanitizer makes everything slow.
#ifdef HEDDLE_SLOW_BUILD
constexpr std::uint64_t kPrograms = 30;
#else
constexpr std::uint64_t kPrograms = 150;
#endif

std::vector<ReductionChoice> all_reductions() {
  std::vector<ReductionChoice> choices;
  for (const ReductionKind kind :
       {ReductionKind::Sleep, ReductionKind::Persistent, ReductionKind::Source, ReductionKind::Optimal}) {
    for (const ThreadOrder order : {ThreadOrder::Lowest, ThreadOrder::Highest}) choices.push_back({kind, order, {}});
  }
  return choices;
}

ReductionChoice persistent(PersistentVariant variant, bool sleep_sets) {
  return {ReductionKind::Persistent, ThreadOrder::Lowest, {variant, sleep_sets}};
}

void expect_right(const ToyCode& code, ToyOptions options, const std::vector<ReductionChoice>& choices) {
  const OracleResult oracle = all_traces(code, options);
  if (oracle.limit_hit || oracle.traces.size() > kMostTraces) return;
  for (const ReductionChoice& choice : choices) {
    const auto what = complaint(search(code, options, choice), oracle, choice);
    EXPECT_FALSE(what) << "--reduction=" << text(choice.kind) << ": " << *what << "\n"
                       << to_text({"", code, options, {}});
  }
}

class EachFamily : public testing::TestWithParam<Family> {};

TEST_P(EachFamily, AgreesWithTheOracle) {
  const std::vector<ReductionChoice> choices = all_reductions();
  for (std::uint64_t seed = 1'000'000; seed < 1'000'000 + kPrograms; ++seed) {
    const ToyOptions options{.timeouts = static_cast<unsigned>(seed % 3),
                             .spurious_wakeups = static_cast<unsigned>(seed % 5 == 0)};
    expect_right(generate(GetParam(), seed), options, choices);
    if (HasFailure()) return;
  }
}

// The published forms, without sleep sets.
TEST_P(EachFamily, PrintedPersistentSetsMissNothing) {
  const std::vector<ReductionChoice> choices{
      persistent(PersistentVariant::Combined, false), persistent(PersistentVariant::General, false),
      persistent(PersistentVariant::Clocks, false), persistent(PersistentVariant::ReadWriteClocks, false),
      persistent(PersistentVariant::LastAccess, false)};
  for (std::uint64_t seed = 2'000'000; seed < 2'000'000 + kPrograms / 3; ++seed) {
    expect_right(generate(GetParam(), seed), {.timeouts = static_cast<unsigned>(seed % 3)}, choices);
    if (HasFailure()) return;
  }
}

TEST_P(EachFamily, KeepsItsPromises) {
  for (std::uint64_t seed = 3'000'000; seed < 3'000'000 + kPrograms / 3; ++seed) {
    for (const ReductionChoice& choice : all_reductions()) {
      ToyProgram program(generate(GetParam(), seed));
      const std::unique_ptr<Reduction> reduction = make_reduction(choice, true);
      SelfCheck checked(*reduction, choice);
      Collected collected;
      ExploreOptions explore;
      explore.keep_going = true;
      explore.budget.max_executions = 500;
      Engine(program, checked, collected, explore).explore();  // a broken promise ends the process with a sentence
    }
  }
}

std::string family_name(const testing::TestParamInfo<Family>& info) {
  std::string name(text(info.param));
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Reductions, EachFamily, testing::ValuesIn(kFamilies), family_name);

TEST(Reductions, CorpusOfProgramsThatOnceShowedSomething) {
  std::size_t programs = 0;
  for (const auto& file : std::filesystem::directory_iterator(HEDDLE_TOY_CORPUS)) {
    std::ifstream stream(file.path());
    std::stringstream content;
    content << stream.rdbuf();
    const ToyText program = toy_from_text(content.str());
    expect_right(program.code, program.options, all_reductions());
    ++programs;
  }
  EXPECT_GE(programs, 7U);
}

// 9 traces; figure 5 with sleep sets added finds 8 of them (algorithms.md 5, reference/fig5.py).
TEST(Reductions, PrintedPersistentSetsWithSleepSetsLoseTraces) {
  const ToyCode code{{{write(0, 1), fetch_add(1, 1)}, {fetch_add(1, 1)}, {write(1, 1), write(0, 1)}}, {}};
  EXPECT_EQ(all_traces(code).traces.size(), 9U);
  EXPECT_EQ(search(code, {}, persistent(PersistentVariant::LastAccess, true)).traces.size(), 8U);
  EXPECT_EQ(search(code, {}, persistent(PersistentVariant::LastAccess, false)).traces.size(), 9U);
  EXPECT_EQ(search(code, {}, persistent(PersistentVariant::Combined, true)).traces.size(), 9U);
}

// Reads commute, so that a write has a race with each of two reads. Figures 3 and 4 look at the last conflict only, and
// with sleep sets lose one of the 4 traces (algorithms.md 14.2).
TEST(Reductions, LastConflictAloneLosesTracesWithSleepSets) {
  const ToyCode readers{{{write(0, 1)}, {read(1), read(0)}, {read(2), read(0)}}, {}};
  EXPECT_EQ(all_traces(readers).traces.size(), 4U);
  EXPECT_LT(search(readers, {}, persistent(PersistentVariant::General, true)).traces.size(), 4U);
  EXPECT_EQ(search(readers, {}, persistent(PersistentVariant::General, false)).traces.size(), 4U);
}

// Two choices of 2 and 3 outcomes in different threads are independent: 6 combinations, each one execution.
TEST(Reductions, DataChoicesMultiply) {
  const ToyCode code{{{choose(2), write_register(0, 0)}, {choose(3), write_register(1, 0)}}, {}};
  for (const ReductionChoice& choice : all_reductions()) {
    EXPECT_EQ(search(code, {}, choice).result.statistics.executions, 6U) << text(choice.kind);
  }
}

// A signal wakes either of two waiters: the waits commute, so 2 traces while both wait, times what the rest allows.
TEST(Reductions, EachWaiterMayBeWoken) {
  const Thread waiter{lock(0), cond_wait(0, 0), unlock(0)};
  const ToyCode code{{waiter, waiter, {signal(0)}}, {}};
  expect_right(code, {}, all_reductions());
  const OracleResult oracle = all_traces(code);
  EXPECT_EQ(search(code, {}, {}).result.statistics.executions, oracle.traces.size());
}

// Threads from number 63 on share a bit of the mask of threads woken. Waiters among them must still race for the mutex.
TEST(Reductions, WaitersBeyondTheMaskOfThreadsWoken) {
  ToyCode code;
  code.threads.resize(67);
  code.threads[0] = {lock(0), broadcast(0), unlock(0)};
  for (std::size_t t = 64; t < 67; ++t) code.threads[t] = {lock(0), cond_wait(0, 0), unlock(0)};
  EXPECT_FALSE(all_traces(code).limit_hit);
  expect_right(code, {}, all_reductions());
}

// What a search holds is the current execution and what is planned along it: after the last execution nothing is left.
TEST(Reductions, LongExecutionsOfFewTraces) {
  Thread many(2000, write(1, 1));
  many.push_back(write(0, 1));
  Thread others(2000, write(2, 1));
  others.push_back(write(0, 2));
  const ToyCode code{{many, others}, {}};
  EXPECT_EQ(explore_all(code, {}, {}, ThreadOrder::Lowest, ReductionKind::Optimal).result.statistics.executions, 2U);
}

}  // namespace
}  // namespace heddle::differential
