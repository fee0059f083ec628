#include "explore/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explore_all.hpp"

namespace heddle {
namespace {

using namespace toy;
using ::testing::HasSubstr;

std::vector<NamedChoice> steps(const char* text) { return schedule_from_text(text).value(); }

TEST(Replay, RepeatsAFindingWithTheSameEvents) {
  const ToyCode code{{{read(1), write_register(1, 0, 1)}, {read(1), write_register(1, 0, 1)}, {read(1), expect(0, 0)}},
                     {}};
  const Explored explored = explore_all(code);
  ASSERT_FALSE(explored.schedules.empty());
  ToyProgram program(code);
  std::vector<NamedChoice> schedule;
  for (const PlannedChoice& planned : explored.schedules[0]) {
    schedule.push_back({program.path(planned.choice.thread), planned.choice.outcome});
  }
  std::vector<OpKind> first;
  const ReplayResult once = replay(program, schedule, [&](const Event& e) { first.push_back(e.op.kind); });
  std::vector<OpKind> second;
  const ReplayResult twice = replay(program, schedule, [&](const Event& e) { second.push_back(e.op.kind); });
  EXPECT_EQ(once.divergence, std::nullopt);
  EXPECT_EQ(once.finding->kind, FindingKind::Assertion);
  EXPECT_EQ(twice.finding->kind, FindingKind::Assertion);
  EXPECT_EQ(first, second);
}

TEST(Replay, SaysAtWhichChoiceAChangedProgramDiverges) {
  ToyProgram program({{{lock(1), unlock(1)}, {lock(1), unlock(1)}}, {}});
  const auto ignore = [](const Event&) {};
  EXPECT_THAT(*replay(program, steps("0 1"), ignore).divergence, HasSubstr("choice 2 (thread 1) does not fit"));
  EXPECT_THAT(*replay(program, steps("0 1"), ignore).divergence, HasSubstr("blocked at its lock"));
  EXPECT_THAT(*replay(program, steps("0*3"), ignore).divergence,
              HasSubstr("choice 3 (thread 0) does not fit: that thread has already ended"));
  EXPECT_THAT(*replay(program, steps("0!1"), ignore).divergence, HasSubstr("no such outcome"));
  EXPECT_THAT(*replay(program, steps("7"), ignore).divergence, HasSubstr("no such thread"));
  EXPECT_THAT(*replay(program, steps("0"), ignore).divergence, HasSubstr("goes on after the last choice"));
  EXPECT_EQ(replay(program, steps("0*2 1*2"), ignore).divergence, std::nullopt);
}

}  // namespace
}  // namespace heddle
