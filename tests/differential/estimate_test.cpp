// The estimate against the oracle: its mean is the number of traces, and it says when it is not to be trusted.
#include "explore/estimate.hpp"

#include <gtest/gtest.h>

#include "differential/generator.hpp"
#include "differential/oracle.hpp"
#include "differential/toy_text.hpp"
#include "explore/search_run.hpp"
#include "explore_all.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

Estimate estimate(const ToyCode& code, int samples, bool interleavings = false) {
  ToyProgram program(code);
  Estimator estimator(program, 3, 1000, interleavings);
  for (int i = 0; i < samples; ++i) {
    program.restart();
    estimator.sample();
  }
  return estimator.estimate(0).value();
}

// Groups of threads that share nothing, and steps that share nothing: every sample weighs the same.
TEST(Estimate, IndependentPartsCancelOut) {
  const Thread alone{write(10, 1), write(11, 1)};
  const Thread other{write(12, 1)};
  const Estimate one = estimate({{alone, other, {write(13, 1)}}, {}}, 50);
  EXPECT_NEAR(one.executions, 1, 1e-9);
  // Three pairs of writes to one variable each: 2^3 traces.
  ToyCode pairs;
  for (std::uint32_t x = 0; x < 3; ++x) {
    pairs.threads.push_back({write(x, 1)});
    pairs.threads.push_back({write(x, 2)});
  }
  const Estimate eight = estimate(pairs, 50);
  EXPECT_NEAR(eight.executions, 8, 1e-9);
  EXPECT_NEAR(eight.relative_error, 0, 1e-6);
  EXPECT_FALSE(eight.rough());
}

// C(6, 3) = 20 interleavings of two threads of three steps.
TEST(Estimate, InterleavingsByKnuth) {
  const Thread thread{write(0, 1), write(0, 2), write(0, 3)};
  const Estimate all = estimate({{thread, thread}, {}}, 4000, true);
  EXPECT_NEAR(all.executions, 20, 5 * all.relative_error * 20);
  EXPECT_LT(all.relative_error, 0.05);
}

// Fixed seeds, so this does not depend on luck. Each estimate has a standard error; the long tail of the weights makes
// the largest deviations larger than a normal distribution would have them, hence the 6.
TEST(Estimate, AgreesWithTheOracleOnRandomPrograms) {
  std::size_t programs = 0;
  std::size_t close = 0;
  for (const Family family : {Family::ReadWrite, Family::Rmw, Family::Lock, Family::CreateJoin, Family::Semaphore}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const ToyCode code = generate(family, seed, {.visible_operations = 7});
      const OracleResult oracle = all_traces(code);
      if (oracle.limit_hit) continue;
      const Estimate found = estimate(code, 1000);
      const auto traces = static_cast<double>(oracle.traces.size());
      EXPECT_NEAR(found.executions, traces, (6 * found.relative_error + 0.1) * traces) << to_text(code);
      ++programs;
      if (found.executions > 0.8 * traces && found.executions < 1.25 * traces) ++close;
    }
  }
  EXPECT_GE(programs, 90U);
  EXPECT_GE(close * 10, programs * 9);
}

TEST(Estimate, NeverBelowWhatHasBeenRun) {
  ToyProgram program({{{write(0, 1)}, {write(0, 2)}}, {}});
  Estimator estimator(program, 1, 1000, false);
  EXPECT_FALSE(estimator.estimate(5));
  for (int i = 0; i < 40; ++i) {
    program.restart();
    estimator.sample();
  }
  EXPECT_DOUBLE_EQ(estimator.estimate(0)->executions, 2);
  EXPECT_DOUBLE_EQ(estimator.estimate(5)->executions, 5);
}

// A writer and eleven readers of one variable: each reads before or after, 2^11 executions of 12 steps each. Drawing
// changes nothing about them.
SearchResult search(EstimatePlan plan) {
  ToyCode code{{{write(0, 1)}}, {}};
  for (int i = 0; i < 11; ++i) code.threads.push_back({read(0)});
  ToyProgram program(code);
  Collected collected;
  SearchRequest request;
  request.reduction.kind = ReductionKind::Optimal;
  request.estimate = plan;
  SearchResult result = SearchRun(program, collected, request).run();
  EXPECT_EQ(result.explored.statistics.executions, 1U << 11U);
  EXPECT_EQ(result.explored.statistics.max_depth, 12U);
  return result;
}

// The 16 of the pilot are no samples.
TEST(Estimate, CostsItsShareOfTheSearch) {
  EXPECT_FALSE(search({.share = 1'000'000}).estimate);
  EXPECT_FALSE(search({.share = 1, .at_most = 0}).estimate);
  for (const std::uint64_t share : {10U, 20U}) {
    const SearchResult result = search({.share = share});
    ASSERT_TRUE(result.estimate);
    const std::uint64_t allowed = result.explored.statistics.events / share;
    const std::uint64_t drawn = (result.estimate->samples + 16) * 12;
    EXPECT_LE(drawn, allowed);
    EXPECT_GT(drawn, allowed - 2 * 16 * 12);  // drawn 16 at a time
  }
  EXPECT_EQ(search({.at_once = 300, .share = 1'000'000}).estimate->samples, 284U);
  EXPECT_EQ(search({.at_once = 300, .free = 1200, .share = 1'000'000}).estimate->samples, 84U);
  EXPECT_EQ(search({.share = 1, .at_most = 100}).estimate->samples, 84U);
}

}  // namespace
}  // namespace heddle::differential
