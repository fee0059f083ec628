#include "explore/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "explore/stateless/none.hpp"
#include "explore_all.hpp"
#include "program/recheck.hpp"

namespace heddle {
namespace {

using namespace toy;

// Remembers the order of threads of every execution.
class Orders : public Collected {
 public:
  explicit Orders(const Engine*& engine) : engine_(engine) {}
  void execution_ended(const Statistics&) override {
    std::string order;
    for (const PlannedChoice& planned : engine_->schedule()) {
      order += static_cast<char>('0' + planned.choice.thread.value);
      if (planned.choice.outcome != 0) order += "!" + std::to_string(planned.choice.outcome);
    }
    seen.push_back(order);
  }
  std::vector<std::string> seen;

 private:
  const Engine*& engine_;
};

std::vector<std::string> orders_of(const ToyCode& code, ThreadOrder order = ThreadOrder::Lowest) {
  ToyProgram program(code);
  NoReduction reduction(order);
  const Engine* pointer = nullptr;
  Orders orders(pointer);
  Engine engine(program, reduction, orders, {});
  pointer = &engine;
  engine.explore();
  return orders.seen;
}

TEST(NoReduction, RunsEveryInterleavingOnceInDepthFirstOrder) {
  const ToyCode code{{{write(1, 1), write(1, 2)}, {write(2, 1), write(2, 2)}}, {}};
  EXPECT_EQ(orders_of(code), (std::vector<std::string>{"0011", "0101", "0110", "1001", "1010", "1100"}));
  EXPECT_EQ(orders_of(code, ThreadOrder::Highest),
            (std::vector<std::string>{"1100", "1010", "1001", "0110", "0101", "0011"}));
}

TEST(NoReduction, OutcomesMultiply) {
  EXPECT_EQ(orders_of({{{choose(3), choose(2)}}, {}}),
            (std::vector<std::string>{"00", "00!1", "0!10", "0!10!1", "0!20", "0!20!1"}));
}

TEST(Engine, StopsAtTheFirstFindingUnlessToldOtherwise) {
  const ToyCode code{{{read(1), expect(0, 0)}, {write(1, 1)}, {read(1), expect(0, 0)}}, {}};
  ToyProgram program(code);
  NoReduction reduction;
  Collected collected;
  Engine engine(program, reduction, collected, {});
  EXPECT_EQ(engine.explore().ended, Ended::FirstFinding);
  EXPECT_EQ(collected.findings.size(), 1U);
  // Both assertions, each once, and all 3! = 6 executions minus what the failures cut off: none, since they end
  // threads.
  const Explored all = explore_all(code);
  EXPECT_EQ(all.findings.size(), 2U);
  EXPECT_EQ(all.result.ended, Ended::Complete);
}

TEST(Engine, BudgetsAreOutcomes) {
  const ToyCode code{{{write(1, 1), write(1, 2)}, {write(2, 1), write(2, 2)}}, {}};
  ExploreOptions options;
  options.budget.max_executions = 2;
  const Explored few = explore_all(code, {}, options);
  EXPECT_EQ(few.result.ended, Ended::Executions);
  EXPECT_EQ(few.result.statistics.executions, 2U);
  options = {};
  options.budget.max_steps = 3;
  const Explored cut = explore_all(code, {}, options);
  EXPECT_EQ(cut.result.ended, Ended::Steps);
  EXPECT_TRUE(cut.result.cut_executions);
  EXPECT_EQ(cut.result.statistics.executions, 0U);
}

TEST(Engine, AbandonedExecutionsAreNotCounted) {
  const Explored explored = explore_all({{{choose(4), assume(0, 2)}}, {}});
  EXPECT_EQ(explored.result.statistics.executions, 1U);
  EXPECT_EQ(explored.result.statistics.abandoned, 3U);
}

TEST(Engine, DeadlockIsAnExecutionWithAFinding) {
  // Opposite locks: of the C(8,4) interleavings that locks allow, those in which both take their first lock deadlock.
  const ToyCode code{{{lock(1), lock(2), unlock(2), unlock(1)}, {lock(2), lock(1), unlock(1), unlock(2)}}, {}};
  const Explored explored = explore_all(code);
  ASSERT_EQ(explored.findings.size(), 1U);
  EXPECT_EQ(explored.findings[0].kind, FindingKind::Deadlock);
  // By hand: thread a first and alone (a b b b b after a's four...) Enumerated: a holds 1 and runs on to its end before
  // b can take 1: b's first lock (of 2) fits only before a takes 2 (deadlock) or after a releases 2.
  //   both first locks taken, in either order: 2 deadlocks
  //   a takes 1 and 2 first: b's lock(2) after a's unlock(2): before or after a's unlock(1): 2; symmetrically 2
  EXPECT_EQ(explored.result.statistics.executions, 6U);
}

// A program that answers differently the second time it is asked.
class Fickle final : public Program {
 public:
  explicit Fickle(Program& inner) : inner_(inner) {}
  void restart() override {
    inner_.restart();
    ++restarts_;
  }
  [[nodiscard]] std::size_t thread_count() const override { return inner_.thread_count(); }
  [[nodiscard]] const ThreadState& thread(ThreadId thread) const override {
    state_ = inner_.thread(thread);
    if (restarts_ > 1) state_.pending.object += 1000;
    return state_;
  }
  [[nodiscard]] const ThreadSet& enabled() const override { return inner_.enabled(); }
  [[nodiscard]] const Finding* raised() const override { return inner_.raised(); }
  [[nodiscard]] bool abandoned() const override { return inner_.abandoned(); }
  [[nodiscard]] ProgramPhase phase() const override { return failed_ ? ProgramPhase::Failed : inner_.phase(); }
  const Event& step(Choice choice) override { return inner_.step(choice); }
  std::size_t run(std::span<const PlannedChoice> prefix) override {
    for (const PlannedChoice& planned : prefix)
      failed_ = failed_ || digest(thread(planned.choice.thread).pending) != planned.digest;
    return failed_ ? 0 : inner_.run(prefix);
  }
  [[nodiscard]] std::optional<Finding> conclude() override {
    if (failed_) return Finding{FindingKind::Nondeterminism, "differs", kMainThread, 1};
    return inner_.conclude();
  }
  [[nodiscard]] ThreadPath path(ThreadId thread) const override { return inner_.path(thread); }
  [[nodiscard]] std::optional<ThreadId> find(const ThreadPath& path) const override { return inner_.find(path); }

 private:
  Program& inner_;
  mutable ThreadState state_;
  int restarts_ = 0;
  bool failed_ = false;
};

TEST(Recheck, NoticesAProgramThatBehavesDifferently) {
  ToyProgram toy({{{choose(2)}}, {}});
  Fickle fickle(toy);
  Recheck recheck(fickle);
  NoReduction reduction;
  Collected collected;
  Engine engine(recheck, reduction, collected, {});
  EXPECT_EQ(engine.explore().ended, Ended::FirstFinding);
  ASSERT_EQ(collected.findings.size(), 1U);
  EXPECT_EQ(collected.findings[0].kind, FindingKind::Nondeterminism);
}

TEST(Recheck, LeavesASoundProgramAlone) {
  ToyProgram toy({{{write(1, 1), write(1, 2)}, {write(2, 1), write(2, 2)}}, {}});
  Recheck recheck(toy);
  NoReduction reduction;
  Collected collected;
  Engine engine(recheck, reduction, collected, {});
  EXPECT_EQ(engine.explore().statistics.executions, 6U);
  EXPECT_TRUE(collected.findings.empty());
}

}  // namespace
}  // namespace heddle
