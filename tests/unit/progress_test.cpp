#include "cli/progress.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

ProgressState state(std::uint64_t executions, double seconds, double estimate, double error) {
  ProgressState state;
  state.seconds = seconds;
  state.statistics.executions = executions;
  state.statistics.max_depth = 126;
  state.estimate = estimate;
  state.estimate_error = error;
  return state;
}

TEST(Progress, SaysHowManyHowFastAndHowLongStill) {
  EXPECT_EQ(progress_line(state(1000, 2, 0, 0)), "1000 executions, 500/s, depth 126, 0 findings, 2 s");
  // 900,000 left at 10,000 a second: 90 s.
  EXPECT_EQ(progress_line(state(100'000, 10, 1e6, 0.3)),
            "100.0k executions of 1.0M (+-30%), 10.0k/s, 0 findings, 10 s, 90 s left");
}

TEST(Progress, AnEstimateThatKnowsLittleSaysSo) {
  const std::string line = progress_line(state(400'000, 4, 4e28, 2));
  EXPECT_EQ(line, "400.0k executions of about 4e+28, 100.0k/s, 0 findings, 4 s, perhaps years left");
}

TEST(Progress, FitsALine) {
  ProgressState wide = state(123'456'789, 86'400, 9.87e11, 0.99);
  wide.statistics.blocked = 987'654'321;
  wide.findings = 12;
  EXPECT_LE(progress_line(wide).size(), 79U);
  EXPECT_NE(progress_line(wide).find("123.5M executions of 987.0G (+-99%)"), std::string::npos);
}

TEST(Progress, LeavesOutWhatMattersLeastOnANarrowTerminal) {
  const ProgressState all = state(100'000, 10, 1e6, 0.3);
  EXPECT_EQ(progress_line(all, 65), "100.0k executions of 1.0M (+-30%), 0 findings, 10 s, 90 s left");
  EXPECT_EQ(progress_line(all, 49), "100.0k executions, 0 findings, 10 s, 90 s left");
  EXPECT_EQ(progress_line(all, 39), "100.0k executions, 0 findings, 10 s");
  EXPECT_EQ(progress_line(all, 10), "100.0k exe");
}

TEST(Progress, CountsStatesWhereThereAreNoExecutions) {
  ProgressState over_states = state(0, 2, 0, 0);
  over_states.statistics.states = 500;
  over_states.statistics.transitions = 900;
  EXPECT_EQ(progress_line(over_states), "500 states, 250/s, depth 126, 0 findings, 2 s");
}

}  // namespace
}  // namespace heddle
