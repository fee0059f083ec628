// Await loops: random programs against a walk over all their states, and small ones with their counts.
#include "differential/await_walk.hpp"

#include <gtest/gtest.h>

#include "differential/generator.hpp"
#include "differential/oracle.hpp"
#include "differential/toy_text.hpp"
#include "explore_all.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

class Awaits : public testing::TestWithParam<ReductionKind> {};

TEST_P(Awaits, LoseNoEndAndNoFinding) {
  std::size_t compared = 0;
  std::size_t livelocks = 0;
  for (std::uint64_t seed = 4'000'000; seed < 4'000'400; ++seed) {
    const ToyCode code = generate(Family::Spin, seed, {.visible_operations = 7});
    const auto expected = walk(code);
    if (!expected) continue;
    const auto what = await_complaint(*expected, code, {GetParam(), ThreadOrder::Lowest, {}});
    ASSERT_FALSE(what) << *what << "\n" << to_text({"", code, {}, {}});
    ++compared;
    livelocks += expected->findings.contains(FindingKind::Livelock) ? 1U : 0U;
  }
  EXPECT_GT(compared, 350U);
  EXPECT_GT(livelocks, 50U);
}

std::string reduction_name(const testing::TestParamInfo<ReductionKind>& kind) { return std::string(text(kind.param)); }
INSTANTIATE_TEST_SUITE_P(Each, Awaits,
                         testing::Values(ReductionKind::None, ReductionKind::Sleep, ReductionKind::Persistent,
                                         ReductionKind::Source, ReductionKind::Optimal),
                         reduction_name);

std::uint64_t executions(const ToyCode& code) {
  return explore_all(code, {}, {}, ThreadOrder::Lowest, ReductionKind::Optimal).result.statistics.executions;
}
std::uint64_t given_up(const ToyCode& code) {
  return explore_all(code, {}, {}, ThreadOrder::Lowest, ReductionKind::Optimal).result.statistics.abandoned;
}

// A loop on one location is the await instruction: rounds in vain are not part of any execution that counts.
TEST(AwaitLoops, CountAsAwaits) {
  const Thread spinner{read(0, 0), jump_unless(0, 2, 0), write(1, 1)};
  const Thread waiter{await(0, 2), write(1, 1)};
  const Thread writer{write(0, 1), write(0, 2), read(1, 0)};
  EXPECT_EQ(executions({{spinner, writer}, {}}), executions({{waiter, writer}, {}}));
  EXPECT_EQ(executions({{spinner, spinner, writer}, {}}), executions({{waiter, waiter, writer}, {}}));
  // The loop is entered and left again at each of the values 0 and 1.
  EXPECT_EQ(given_up({{spinner, writer}, {}}), 2U);
}

// n threads take a spin lock once: n! orders, and as many runs given up as there are ways to find it taken. With
// f(0) = f(1) = 1 for all maximal runs of n threads, f(n) = n * sum over k of C(n-1, k) f(n-1-k): while the first one
// holds the lock, k of the others look in vain. f(2) = 4, f(3) = 21.
TEST(AwaitLoops, SpinLockHasAsManyExecutionsAsOrders) {
  const Thread locker{cas(0, 0, 1, 0), jump_unless(0, 1, 0), write(0, 0)};
  EXPECT_EQ(executions({{locker, locker}, {}}), 2U);
  EXPECT_EQ(given_up({{locker, locker}, {}}), 4U - 2U);
  EXPECT_EQ(executions({{locker, locker, locker}, {}}), 6U);
  EXPECT_EQ(given_up({{locker, locker, locker}, {}}), 21U - 6U);
}

// Peterson's lock for two threads, in toy code: register 0 is what the other thread wants, 1 whose turn it is.
Thread peterson(std::uint32_t me) {
  const std::uint32_t other = 1 - me;
  return {write(me, 1), write(2, other),      read(other, 0),     jump_if(0, 0, 6),
          read(2, 1),   jump_if(1, other, 2), fetch_add(3, 1, 2), write(me, 0)};
}

// textbook-peterson-fixed.cpp has as many. The critical section is an increment that must not be torn apart; each end
// has both increments.
TEST(AwaitLoops, PetersonForTwoThreads) {
  const ToyCode code{{peterson(0), peterson(1)}, {}};
  EXPECT_EQ(walk(code)->states.size(), 2U);  // whose turn it was last
  EXPECT_TRUE(walk(code)->findings.empty());
  EXPECT_EQ(executions(code), all_traces(code).count(Ending::Maximal));
}

// `while (a[i]) --i;`: the register changes, so it is no await, and the thread goes through all of a.
TEST(AwaitLoops, AChangingRegisterIsNoAwait) {
  const ToyCode loop{{{set(0, 3), read(0, 1), add(0, -1), jump_unless(0, 0, 1), write(1, 1)}, {write(0, 1)}}, {}};
  EXPECT_EQ(executions(loop), 4U);  // the write falls into one of four gaps between three reads
  EXPECT_EQ(given_up(loop), 0U);
}

}  // namespace
}  // namespace heddle::differential
