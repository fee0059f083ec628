// Joins in the optimal search: left until nothing else can be done, not looked at unless something follows them, and
// yet not left for ever.
#include <gtest/gtest.h>

#include <string>

#include "explore/stateless/optimal.hpp"
#include "explore_all.hpp"

namespace heddle {
namespace {

using namespace toy;

struct Explored {
  ExploreResult result;
  std::string last;  // the threads of the last execution, in order
};

Explored explore(const ToyCode& code, ExploreOptions options = {}) {
  ToyProgram program(code);
  OptimalReduction reduction;
  Collected collected;
  Engine engine(program, reduction, collected, options);
  Explored explored{engine.explore(), ""};
  for (const PlannedChoice& planned : engine.schedule()) {
    explored.last += static_cast<char>('0' + planned.choice.thread.value);
  }
  return explored;
}

TEST(OptimalJoins, ComeLast) {
  const Explored explored = explore({{{create(1), create(2), join(1), join(2)}, {write(1, 1)}, {write(2, 1)}}, {}});
  EXPECT_EQ(explored.result.statistics.executions, 1U);
  EXPECT_EQ(explored.last, "001200");
}

// Main reads after the write of the thread that it joined; the other write is before both, between them or after both.
TEST(OptimalJoins, OrderWhatFollowsThem) {
  const Explored explored =
      explore({{{create(1), create(2), join(1), read(1), join(2)}, {write(1, 1)}, {write(1, 2)}}, {}});
  EXPECT_EQ(explored.result.statistics.executions, 3U);
  EXPECT_EQ(explored.result.statistics.blocked, 0U);
}

// Two threads that wait for the same semaphore after each has joined another: one of them waits for ever. Who gets it
// is the only choice.
TEST(OptimalJoins, OrderWhatIsPendingAtTheEnd) {
  ToyCode code{{{create(3), join(3), on(Code::SemWait, 0)},
                {create(4), join(4), on(Code::SemWait, 0)},
                {on(Code::SemPost, 0)},
                {write(1, 1)},
                {write(2, 1)}},
               {}};
  const Explored explored = explore(code, {.budget = {}, .keep_going = true});
  EXPECT_EQ(explored.result.statistics.executions, 2U);
  EXPECT_EQ(explored.result.statistics.blocked, 0U);
}

// A thread goes round until main, which has joined another first, tells it to stop: every execution ends.
TEST(OptimalJoins, AreNotPassedOverForEver) {
  const Thread spinner{read(1), jump_if(0, 1, 4), fetch_add(2, 1, 1), jump_unless(0, 1, 0)};
  ExploreOptions options;
  options.budget.max_executions = 20;
  options.budget.max_steps = 1000;
  const Explored explored =
      explore({{{create(1), create(2), join(1), write(1, 1), join(2)}, {write(3, 1)}, spinner}, {}}, options);
  EXPECT_EQ(explored.result.statistics.executions, 20U);
  EXPECT_FALSE(explored.result.cut_executions);
}

}  // namespace
}  // namespace heddle
