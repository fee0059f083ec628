// Searches over states against their oracle, on random programs with and without cycles; the corpus; programs that show
// what the rules are for. A slice of what `differential_soak --stateful` runs.
#include <gtest/gtest.h>

#include "differential/loops.hpp"
#include "differential/state_compare.hpp"
#include "differential/toy_text.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

constexpr std::size_t kMostStates = 1500;
#ifdef HEDDLE_SLOW_BUILD
constexpr std::uint64_t kPrograms = 4;
#else
constexpr std::uint64_t kPrograms = 20;
#endif

StateSearchOptions options_for(StateReduction reduction) {
  StateSearchOptions options;
  options.reduction = reduction;
  options.store.max_memory = std::uint64_t{1} << 26U;
  return options;
}

void expect_right(const ToyCode& code, ToyOptions options, const StateSearchOptions& search) {
  const StateOracleResult oracle = all_states(code, options, kMostStates);
  if (oracle.limit_hit) return;
  const auto what = complaint(search_states(code, options, search), oracle, search.reduction);
  EXPECT_FALSE(what) << "--stateful --reduction=" << text(search.reduction) << ": " << *what << "\n"
                     << to_text({"", code, options, {}});
}

void expect_all_right(const ToyCode& code, ToyOptions options, ThreadOrder order) {
  for (const StateReduction reduction : {StateReduction::None, StateReduction::Sleep, StateReduction::Cartesian}) {
    StateSearchOptions search = options_for(reduction);
    search.order = order;
    expect_right(code, options, search);
  }
}

class StatesOfEachFamily : public testing::TestWithParam<Family> {};

TEST_P(StatesOfEachFamily, AgreeWithTheOracle) {
  for (std::uint64_t seed = 2'000'000; seed < 2'000'000 + kPrograms; ++seed) {
    const ToyOptions options{.timeouts = static_cast<unsigned>(seed % 3),
                             .spurious_wakeups = static_cast<unsigned>(seed % 5 == 0)};
    const ThreadOrder order = seed % 2 == 0 ? ThreadOrder::Lowest : ThreadOrder::Highest;
    expect_all_right(generate_with_loops(GetParam(), seed), options, order);
    expect_all_right(generate(GetParam(), seed), options, order);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StatesOfEachFamily, testing::ValuesIn(kFamilies), [](const auto& family) {
  std::string name(text(family.param));
  std::erase(name, '-');
  return name;
});

TEST(StateSearch, TwoProcessesFindWhatOneFinds) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const Family family : {Family::Lock, Family::Rmw, Family::Semaphore}) {
      for (const StateReduction reduction : {StateReduction::None, StateReduction::Cartesian}) {
        StateSearchOptions search = options_for(reduction);
        const ToyCode code = generate_with_loops(family, seed, {.visible_operations = 12});
        const StatesSearched alone = search_states(code, {}, search);
        search.jobs = 2;
        const StatesSearched together = search_states(code, {}, search);
        EXPECT_EQ(together.result.ended, alone.result.ended);
        EXPECT_EQ(together.result.statistics.states, alone.result.statistics.states);
        EXPECT_EQ(together.result.statistics.transitions, alone.result.statistics.transitions);
        EXPECT_EQ(together.findings, alone.findings);
        EXPECT_EQ(together.livelock, alone.livelock);
        EXPECT_EQ(together.lasso_fault, std::nullopt);
      }
    }
  }
}

TEST(StateSearch, HashesGiveTheSameStates) {
  for (const Family family : {Family::All, Family::Condition, Family::RwLock}) {
    StateSearchOptions search = options_for(StateReduction::None);
    search.store.hash_only = true;
    expect_right(generate_with_loops(family, 5), {}, search);
  }
}

TEST(StateSearch, AMemoryBudgetEndsTheSearch) {
  // Two counters without a limit: as many states as there is memory for.
  const ToyCode code{{{fetch_add(0, 1), jump_unless(0, -1, 0)}, {fetch_add(1, 1), jump_unless(0, -1, 0)}}, {}};
  // The same with a conflict: the Cartesian reduction follows a thread without one as far as it goes.
  ToyCode conflicting = code;
  conflicting.threads[1].front().a = 0;
  for (const StateReduction reduction : {StateReduction::None, StateReduction::Sleep, StateReduction::Cartesian}) {
    StateSearchOptions search = options_for(reduction);
    search.store.max_memory = 1U << 20U;
    EXPECT_EQ(search_states(code, {}, search).result.ended, Ended::Memory) << text(reduction);
    EXPECT_EQ(search_states(conflicting, {}, search).result.ended, Ended::Memory) << text(reduction);
  }
}

// Three prefixes of two states each: {start, end} x 3, in all 8 states.
TEST(StateSearch, IndependentThreadsAreOneCartesianState) {
  const ToyCode code{{{write(0, 1)}, {write(1, 1)}, {write(2, 1)}}, {}};
  EXPECT_EQ(search_states(code, {}, options_for(StateReduction::None)).result.statistics.states, 8U);
  EXPECT_EQ(search_states(code, {}, options_for(StateReduction::Cartesian)).result.statistics.states, 1U);
}

// Sleep sets leave out one of the two ways round each square of a cube: 12 edges, of which a tree of 7 is needed.
TEST(StateSearch, SleepSetsSaveTransitionsNotStates) {
  const ToyCode code{{{write(0, 1)}, {write(1, 1)}, {write(2, 1)}}, {}};
  EXPECT_EQ(search_states(code, {}, options_for(StateReduction::None)).result.statistics.transitions, 12U);
  const Statistics sleep = search_states(code, {}, options_for(StateReduction::Sleep)).result.statistics;
  EXPECT_EQ(sleep.states, 8U);
  EXPECT_EQ(sleep.transitions, 7U);
}

// Figure 5 of the paper, with c = 3 so that no assertion fails: 25 states and 40 transitions, of which a suitable
// vector leaves 14 and 38 (the increments read and write; counts as in the reference implementation).
TEST(StateSearch, TheFifthFigureOfTheCartesianPaper) {
  const auto thread = [](std::uint32_t mine, std::uint32_t other) {
    Thread result;
    for (int i = 0; i < 3; ++i) {
      result.insert(result.end(), {begins(read(mine, 0)), continues(write_register(mine, 0, 1)), set(0, 0)});
    }
    result.insert(result.end(), {read(other, 0), set(0, 0)});
    return result;
  };
  const ToyCode code{{thread(0, 1), thread(1, 0)}, {}};
  const Statistics standard = search_states(code, {}, options_for(StateReduction::None)).result.statistics;
  EXPECT_EQ(standard.states, 25U);
  EXPECT_EQ(standard.transitions, 40U);
  const Statistics cartesian = search_states(code, {}, options_for(StateReduction::Cartesian)).result.statistics;
  EXPECT_EQ(cartesian.states, 14U);
  EXPECT_EQ(cartesian.transitions, 38U);
}

TEST(Livelock, TwoSpinnersThatNobodyHelps) {
  const Thread spinner{read(0, 0), jump_if(0, 0, 0)};
  for (const StateReduction reduction : {StateReduction::None, StateReduction::Sleep, StateReduction::Cartesian}) {
    EXPECT_TRUE(search_states({{spinner, spinner}, {}}, {}, options_for(reduction)).livelock);
    // With a third thread that sets the flag, everybody gets out.
    EXPECT_FALSE(search_states({{spinner, spinner, {write(0, 1)}}, {}}, {}, options_for(reduction)).livelock);
    // A loop that changes something makes progress, as far as anybody can tell.
    const Thread busy{fetch_add(1, 1), fetch_add(1, -1), read(0, 0), jump_if(0, 0, 0)};
    EXPECT_FALSE(search_states({{spinner, busy}, {}}, {}, options_for(reduction)).livelock);
  }
}

}  // namespace
}  // namespace heddle::differential
