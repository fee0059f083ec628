#include "explore/nearest_passing.hpp"

#include <gtest/gtest.h>

#include "differential/generator.hpp"
#include "differential/toy_text.hpp"
#include "explore_all.hpp"
#include "model/direct_order.hpp"

namespace heddle {
namespace {

using namespace toy;

TEST(NearestPassing, OfALostUpdateIsTheWriteBeforeTheOthersRead) {
  const ToyCode code{{{create(1), create(2), join(1), join(2), read(1), expect(0, 2)},
                      {read(1), write_register(1, 0, 1)},
                      {read(1), write_register(1, 0, 1)}},
                     {}};
  const Explored explored = explore_all(code);
  ASSERT_FALSE(explored.schedules.empty());
  ToyProgram program(code);
  const auto nearest = find_nearest_passing(program, explored.schedules[0]);
  ASSERT_TRUE(nearest);
  ASSERT_TRUE(nearest->second);
  // A read that came too early, before the other thread's write.
  EXPECT_NE(explored.schedules[0][nearest->first].choice.thread, nearest->second_thread);
  EXPECT_EQ(nearest->second_operation.kind, OpKind::Store);
}

TEST(NearestPassing, OfADeadlockIsTheLockThatCameTooLate) {
  const ToyCode code{{{create(1), create(2), join(1), join(2)},
                      {lock(1), lock(2), unlock(2), unlock(1)},
                      {lock(2), lock(1), unlock(1), unlock(2)}},
                     {}};
  const Explored explored = explore_all(code);
  ASSERT_EQ(explored.findings.size(), 1U);
  ASSERT_EQ(explored.findings[0].kind, FindingKind::Deadlock);
  ToyProgram program(code);
  const auto nearest = find_nearest_passing(program, explored.schedules[0]);
  ASSERT_TRUE(nearest);
  ASSERT_TRUE(nearest->second);
  EXPECT_GE(*nearest->second, explored.schedules[0].size());  // one at which a thread is blocked
  EXPECT_EQ(nearest->second_operation.kind, OpKind::MutexLock);
}

TEST(NearestPassing, OfAWrongChoiceIsAnother) {
  const ToyCode code{{{choose(2), expect(0, 1)}}, {}};
  const Explored explored = explore_all(code);
  ToyProgram program(code);
  const auto nearest = find_nearest_passing(program, explored.schedules[0]);
  ASSERT_TRUE(nearest);
  EXPECT_FALSE(nearest->second);
  EXPECT_EQ(nearest->other_outcome, 1U);
}

TEST(NearestPassing, ThereIsNoneIfEveryExecutionFails) {
  const ToyCode code{{{create(1), fetch_add(1, 1), join(1), read(1), expect(0, 9)}, {fetch_add(1, 1)}}, {}};
  const Explored explored = explore_all(code);
  ToyProgram program(code);
  EXPECT_FALSE(find_nearest_passing(program, explored.schedules[0]));
}

// Whatever is said to pass passes, on programs of every family.
TEST(NearestPassing, PassesWheneverItIsNamed) {
  std::size_t named = 0;
  for (const differential::Family family : differential::kFamilies) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const ToyCode code = differential::generate(family, seed, {.visible_operations = 7});
      const Explored explored = explore_all(code, {}, {}, ThreadOrder::Lowest, ReductionKind::Optimal);
      for (const auto& schedule : explored.schedules) {
        ToyProgram program(code);
        const auto nearest = find_nearest_passing(program, schedule);
        if (!nearest) continue;
        ++named;
        const GuidedRun again = run_guided(program, nearest->schedule, {}, nearest->schedule.size());
        EXPECT_EQ(again.end, GuidedRun::End::Passed) << differential::to_text({"", code, {}, {}});
      }
    }
  }
  EXPECT_GT(named, 20U);
}

// The direct predecessors and each thread's own order give the whole relation back, and none of them is redundant.
TEST(DirectOrder, IsTheTransitiveReductionOfHappensBefore) {
  for (const differential::Family family : differential::kFamilies) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      ToyProgram program(differential::generate(family, seed));
      program.restart();
      Execution execution;
      std::vector<std::vector<bool>> before;  // closure of the direct order
      while (!program.enabled().empty()) {
        const ThreadSet enabled = program.enabled();
        const ThreadId thread = execution.size() % 2 == 0 ? *enabled.first() : *enabled.last();
        execution.push(program.step({thread, program.thread(thread).outcomes.first}));
        const std::size_t k = execution.size() - 1;
        std::vector<std::size_t> direct = direct_predecessors(execution, k);
        if (execution[k].index > 1) direct.push_back(execution.position(execution[k].thread, execution[k].index - 1));
        std::vector<bool> row(k + 1, false);
        for (const std::size_t d : direct) {
          for (const std::size_t other : direct) {
            const bool redundant =
                other != d && execution[d].thread != execution[k].thread && execution.happens_before(d, other);
            EXPECT_FALSE(redundant);
          }
          row[d] = true;
          for (std::size_t i = 0; i < d; ++i) row[i] = row[i] || before[d][i];
        }
        for (std::size_t i = 0; i < k; ++i) EXPECT_EQ(row[i], execution.happens_before(i, k)) << i << " " << k;
        before.push_back(row);
      }
    }
  }
}

}  // namespace
}  // namespace heddle
