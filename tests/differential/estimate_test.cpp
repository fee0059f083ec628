// The estimate against the oracle: its mean is the number of traces, and it says when it is not to be trusted.
#include "explore/estimate.hpp"

#include <gtest/gtest.h>

#include "differential/generator.hpp"
#include "differential/oracle.hpp"
#include "differential/toy_text.hpp"
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

}  // namespace
}  // namespace heddle::differential
