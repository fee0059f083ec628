#include "program/toy/toy_program.hpp"

#include <gtest/gtest.h>

#include "explore_all.hpp"

namespace heddle {
namespace {

using namespace toy;

const Choice kMain{ThreadId{0}, 0};
const Choice kFirst{ThreadId{1}, 0};
const Choice kSecond{ThreadId{2}, 0};

TEST(ToyProgram, LocksBlockUntilReleased) {
  ToyProgram program({{{lock(1), unlock(1)}, {lock(1), unlock(1)}}, {}});
  program.step(kMain);
  EXPECT_FALSE(program.enabled().contains(ThreadId{1}));
  program.step(kMain);
  EXPECT_TRUE(program.enabled().contains(ThreadId{1}));
  EXPECT_EQ(program.thread(ThreadId{0}).phase, ThreadPhase::Finished);
}

TEST(ToyProgram, CreatedThreadsStartAtTheirCreation) {
  ToyProgram program({{{create(1), join(1)}, {write(5, 1)}}, {}});
  EXPECT_EQ(program.thread(ThreadId{1}).phase, ThreadPhase::NotStarted);
  program.step(kMain);
  EXPECT_EQ(program.thread(ThreadId{1}).phase, ThreadPhase::Pending);
  EXPECT_FALSE(program.enabled().contains(ThreadId{0}));
  program.step(kFirst);
  program.step(kMain);
  EXPECT_TRUE(program.enabled().empty());
  EXPECT_EQ(program.conclude(), std::nullopt);
}

TEST(ToyProgram, OutcomesDecideWhatAnEventIs) {
  ToyProgram program({{{cas(1, 0, 7), cas(1, 0, 8), read(1, 3), expect(3, 7)}}, {}});
  EXPECT_EQ(program.step(kMain).op.kind, OpKind::Cas);
  EXPECT_EQ(program.step(kMain).op.kind, OpKind::CasFail);
  program.step(kMain);
  EXPECT_EQ(program.phase(), ProgramPhase::Running);
}

TEST(ToyProgram, WaitIsTwoEventsAndSignalChoosesAnyWaiter) {
  const Thread waiter{lock(1), cond_wait(2, 1), unlock(1)};
  ToyProgram program({{{signal(2)}, waiter, waiter}, {}});
  for (const Choice waiting : {kFirst, kSecond}) {
    program.step(waiting);
    EXPECT_EQ(program.step(waiting).op.kind, OpKind::CondWait);
    EXPECT_FALSE(program.enabled().contains(waiting.thread));
  }
  EXPECT_EQ(program.thread(ThreadId{0}).outcomes, (Outcomes{0, 2}));
  const Event signalled = program.step({ThreadId{0}, 1});
  EXPECT_EQ(signalled.woken, wake_bit(ThreadId{2}));
  EXPECT_TRUE(program.enabled().contains(ThreadId{2}));
  EXPECT_FALSE(program.enabled().contains(ThreadId{1}));
  EXPECT_EQ(program.step(kSecond).op.kind, OpKind::CondWake);
  program.step(kSecond);
  EXPECT_EQ(program.conclude()->kind, FindingKind::Deadlock);
}

TEST(ToyProgram, SignalWithoutWaiterIsLost) {
  ToyProgram program({{{signal(2)}}, {}});
  EXPECT_EQ(program.step(kMain).op.kind, OpKind::CondSignalLost);
}

TEST(ToyProgram, TimedOperationsTimeOutOnlyWhenTheyWouldWait) {
  ToyProgram program({{{on(Code::TimedLock, 1, 0), expect(0, 1)}}, {}});
  EXPECT_EQ(program.thread(ThreadId{0}).outcomes, (Outcomes{0, 1}));
  program.step(kMain);
  EXPECT_EQ(program.phase(), ProgramPhase::Running);
}

TEST(ToyProgram, BudgetOfTimeoutsIsLiftedWhenNobodyElseCanRun) {
  const ToyCode code{{{lock(1)}, {on(Code::TimedLock, 1, 0), expect(0, 0)}}, {}};
  ToyProgram program(code, {.timeouts = 0});
  EXPECT_TRUE(program.enabled().contains(ThreadId{1}));
  program.step(kMain);  // main ends holding the mutex
  EXPECT_EQ(program.thread(ThreadId{1}).outcomes, (Outcomes{1, 1}));
  program.step({ThreadId{1}, 1});
  EXPECT_EQ(program.conclude(), std::nullopt);
}

TEST(ToyProgram, SpuriousWakeUpsHaveABudget) {
  const ToyCode code{{{lock(1), cond_wait(2, 1), unlock(1)}}, {}};
  EXPECT_EQ(explore_all(code).findings.at(0).kind, FindingKind::Deadlock);
  EXPECT_TRUE(explore_all(code, {.spurious_wakeups = 1}).findings.empty());
}

TEST(ToyProgram, BarrierLetsGoOfAllWhenTheLastArrives) {
  const Thread party{barrier(9, 2, 0)};
  ToyProgram program({{party, party}, {}});
  program.step(kMain);
  EXPECT_FALSE(program.enabled().contains(ThreadId{0}));
  program.step(kFirst);
  EXPECT_TRUE(program.enabled().contains(ThreadId{0}));
  EXPECT_TRUE(program.enabled().contains(ThreadId{1}));
}

TEST(ToyProgram, ReadersShareAndWritersExclude) {
  ToyProgram program({{{on(Code::ReadLock, 4), on(Code::ReadUnlock, 4)},
                       {on(Code::ReadLock, 4), on(Code::ReadUnlock, 4)},
                       {on(Code::WriteLock, 4), on(Code::WriteUnlock, 4)}},
                      {}});
  program.step(kMain);
  EXPECT_TRUE(program.enabled().contains(ThreadId{1}));
  EXPECT_FALSE(program.enabled().contains(ThreadId{2}));
  program.step(kFirst);
  program.step(kMain);
  EXPECT_FALSE(program.enabled().contains(ThreadId{2}));
  program.step(kFirst);
  EXPECT_TRUE(program.enabled().contains(ThreadId{2}));
}

TEST(ToyProgram, MisuseIsAFinding) {
  ToyProgram unlocks({{{unlock(1)}}, {}});
  unlocks.step(kMain);
  ASSERT_NE(unlocks.raised(), nullptr);
  EXPECT_EQ(unlocks.raised()->kind, FindingKind::LockMisuse);
  ToyProgram waits({{{cond_wait(2, 1)}}, {}});
  waits.step(kMain);
  ASSERT_NE(waits.raised(), nullptr);
  EXPECT_EQ(waits.raised()->kind, FindingKind::LockMisuse);
}

TEST(ToyProgram, SemaphoresCount) {
  ToyProgram program({{{on(Code::SemWait, 0), on(Code::SemWait, 0)}, {on(Code::SemPost, 0)}}, {1}});
  program.step(kMain);
  EXPECT_FALSE(program.enabled().contains(ThreadId{0}));
  program.step(kFirst);
  EXPECT_TRUE(program.enabled().contains(ThreadId{0}));
}

TEST(ToyProgram, AwaitWaitsForTheValue) {
  ToyProgram program({{{await(1, 2)}, {write(1, 1), write(1, 2)}}, {}});
  EXPECT_FALSE(program.enabled().contains(ThreadId{0}));
  program.step(kFirst);
  EXPECT_FALSE(program.enabled().contains(ThreadId{0}));
  program.step(kFirst);
  EXPECT_TRUE(program.enabled().contains(ThreadId{0}));
}

}  // namespace
}  // namespace heddle
