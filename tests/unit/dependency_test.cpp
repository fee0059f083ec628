#include "model/dependency.hpp"
#include "model/execution.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

Event event(OpKind kind, int thread, std::uint64_t object, std::uint64_t second = 0, std::uint32_t size = 1) {
  return {.op = {.kind = kind, .size = size, .object = object, .second = second},
          .thread = ThreadId{static_cast<std::uint16_t>(thread)}};
}

// The relation over all pairs, as docs/soundness.md lists it, on one object: every kind that is not in a group of
// mutually commuting kinds conflicts with every other kind of its class.
TEST(Dependency, TableIsSymmetricAndUnknownDependsOnEverything) {
  for (std::size_t i = 0; i < kOpKinds; ++i) {
    for (std::size_t j = 0; j < kOpKinds; ++j) {
      const auto a = static_cast<OpKind>(i);
      const auto b = static_cast<OpKind>(j);
      EXPECT_EQ(relation(a, b), relation(b, a)) << name(a) << " " << name(b);
      if (a == OpKind::Unknown) {
        EXPECT_EQ(relation(a, b), Relation::Dependent) << name(b);
      }
    }
  }
}

TEST(Dependency, LooksAtAChannelCommuteAndNothingElseDoes) {
  EXPECT_FALSE(dependent(event(OpKind::ChannelLook, 1, 8), event(OpKind::ChannelLook, 2, 8)));
  for (const OpKind change : {OpKind::ChannelRead, OpKind::ChannelWrite, OpKind::ChannelClose}) {
    EXPECT_TRUE(dependent(event(change, 1, 8), event(OpKind::ChannelLook, 2, 8)));
    EXPECT_TRUE(dependent(event(change, 1, 8), event(OpKind::ChannelRead, 2, 8)));
    EXPECT_FALSE(dependent(event(change, 1, 8), event(OpKind::ChannelWrite, 2, 16)));
    EXPECT_FALSE(dependent(event(change, 1, 8), event(OpKind::Store, 2, 8)));
  }
}

TEST(Dependency, SignalsAreOneObject) {
  for (const OpKind a : {OpKind::SignalSend, OpKind::SignalWait, OpKind::SignalMask}) {
    for (const OpKind b : {OpKind::SignalSend, OpKind::SignalWait, OpKind::SignalMask}) {
      EXPECT_TRUE(dependent(event(a, 1, 8), event(b, 2, 8)));
    }
    EXPECT_FALSE(dependent(event(a, 1, 8), event(OpKind::Store, 2, 8)));
  }
}

TEST(Dependency, WhatAllThreadsCanSeeDependsOnEverything) {
  for (const OpKind kind :
       {OpKind::Poll, OpKind::ThreadCancel, OpKind::CancelPoint, OpKind::System, OpKind::FutexRequeue}) {
    EXPECT_TRUE(dependent(event(kind, 1, 8), event(OpKind::Load, 2, 800)));
    EXPECT_TRUE(dependent(event(kind, 1, 8), event(OpKind::Choose, 2, 0)));
  }
}

TEST(Dependency, MemoryReadsCommuteAndWritesDoNot) {
  EXPECT_FALSE(dependent(event(OpKind::Load, 1, 8), event(OpKind::Load, 2, 8)));
  EXPECT_FALSE(dependent(event(OpKind::Load, 1, 8), event(OpKind::CasFail, 2, 8)));
  for (const OpKind write : {OpKind::Store, OpKind::Rmw, OpKind::Cas}) {
    EXPECT_TRUE(dependent(event(write, 1, 8), event(OpKind::Load, 2, 8)));
    EXPECT_TRUE(dependent(event(OpKind::Rmw, 1, 8), event(write, 2, 8)));
    EXPECT_FALSE(dependent(event(write, 1, 8), event(write, 2, 9)));
  }
}

// A compare-exchange that fails would write if other bytes that it compares were other: it commutes with what reads all
// of them, for whatever changes that depends on the read.
TEST(Dependency, FailedCompareExchangesCommuteWithReadsOfAllTheyCompare) {
  const Event failed = event(OpKind::CasFail, 1, 100, 0, 2);
  EXPECT_FALSE(dependent(failed, event(OpKind::Load, 2, 100, 0, 2)));
  EXPECT_FALSE(dependent(failed, event(OpKind::Load, 2, 100, 0, 4)));
  EXPECT_FALSE(dependent(failed, event(OpKind::CasFail, 2, 100, 0, 2)));
  EXPECT_TRUE(dependent(failed, event(OpKind::Load, 2, 100, 0, 1)));
  EXPECT_TRUE(dependent(event(OpKind::Load, 2, 101, 0, 1), failed));
  EXPECT_TRUE(dependent(failed, event(OpKind::CasFail, 2, 100, 0, 4)));
  EXPECT_TRUE(dependent(event(OpKind::CasFail, 2, 100, 0, 4), failed));
  EXPECT_FALSE(dependent(failed, event(OpKind::Load, 2, 102, 0, 2)));
  // Accesses are looked at word by word, where nobody sees that a read covers both words.
  const Event of_two_words = event(OpKind::CasFail, 1, 96, 0, 16);
  EXPECT_TRUE(dependent(of_two_words, event(OpKind::Load, 2, 96, 0, 16)));
  EXPECT_FALSE(dependent(of_two_words, event(OpKind::Load, 2, 112, 0, 8)));
}

// Had the word not changed, it would be in the queue that the wake looks at.
TEST(Dependency, FutexWaitsThatFindAnotherValueDependOnWakes) {
  const Event miss = event(OpKind::FutexMiss, 1, 8);
  EXPECT_TRUE(dependent(miss, event(OpKind::FutexWake, 2, 8)));
  EXPECT_TRUE(dependent(miss, event(OpKind::FutexWakeLost, 2, 8)));
  EXPECT_FALSE(dependent(miss, event(OpKind::FutexWait, 2, 8)));
  EXPECT_FALSE(dependent(miss, event(OpKind::FutexMiss, 2, 8)));
  EXPECT_FALSE(dependent(miss, event(OpKind::FutexWake, 2, 16)));
  EXPECT_TRUE(kind_only_reads(OpKind::FutexMiss));
}

TEST(Dependency, OverlappingRangesConflict) {
  const Event wide = event(OpKind::Load, 1, 100, 0, 8);
  EXPECT_TRUE(dependent(wide, event(OpKind::Store, 2, 104, 0, 4)));
  EXPECT_TRUE(dependent(wide, event(OpKind::Store, 2, 107, 0, 1)));
  EXPECT_FALSE(dependent(wide, event(OpKind::Store, 2, 108, 0, 4)));
  EXPECT_FALSE(dependent(wide, event(OpKind::Store, 2, 96, 0, 4)));
}

TEST(Dependency, FailedAttemptsCommuteWithEachOtherOnly) {
  EXPECT_FALSE(dependent(event(OpKind::MutexLockFail, 1, 5), event(OpKind::MutexLockFail, 2, 5)));
  EXPECT_TRUE(dependent(event(OpKind::MutexLockFail, 1, 5), event(OpKind::MutexUnlock, 2, 5)));
  EXPECT_TRUE(dependent(event(OpKind::SemWaitFail, 1, 5), event(OpKind::SemPost, 2, 5)));
  EXPECT_TRUE(dependent(event(OpKind::RwLockFail, 1, 5), event(OpKind::RwReadUnlock, 2, 5)));
}

TEST(Dependency, ReadersCommuteWithReaders) {
  EXPECT_FALSE(dependent(event(OpKind::RwReadLock, 1, 5), event(OpKind::RwReadLock, 2, 5)));
  EXPECT_FALSE(dependent(event(OpKind::RwReadLock, 1, 5), event(OpKind::RwReadUnlock, 2, 5)));
  EXPECT_TRUE(dependent(event(OpKind::RwWriteLock, 1, 5), event(OpKind::RwReadUnlock, 2, 5)));
}

// A wait that a signal missed and that signal do not commute: in the other order the signal would have woken it.
TEST(Dependency, LostSignalDependsOnTheWaitItMissed) {
  EXPECT_TRUE(dependent(event(OpKind::CondSignalLost, 1, 5), event(OpKind::CondWait, 2, 5, 6)));
  EXPECT_TRUE(dependent(event(OpKind::CondSignalLost, 1, 5), event(OpKind::CondTimeout, 2, 5, 6)));
  EXPECT_FALSE(dependent(event(OpKind::CondSignalLost, 1, 5), event(OpKind::CondSignalLost, 2, 5)));
  EXPECT_FALSE(dependent(event(OpKind::CondWait, 1, 5, 6), event(OpKind::CondWait, 2, 5, 7)));
  EXPECT_TRUE(dependent(event(OpKind::CondWait, 1, 5, 6), event(OpKind::CondWait, 2, 5, 6)));  // the mutex
}

TEST(Dependency, WakeUpDependsOnItsSignalAndOnTheMutex) {
  Event signal = event(OpKind::CondSignal, 1, 5);
  signal.woken = wake_bit(ThreadId{2});
  Event wake = event(OpKind::CondWake, 2, 5, 6);
  wake.woken = wake_bit(ThreadId{2});
  Event other = event(OpKind::CondWake, 3, 5, 7);
  other.woken = wake_bit(ThreadId{3});
  EXPECT_TRUE(dependent(signal, wake));
  EXPECT_FALSE(dependent(signal, other));
  EXPECT_TRUE(dependent(wake, event(OpKind::MutexUnlock, 4, 6)));
  EXPECT_FALSE(dependent(wake, event(OpKind::MutexUnlock, 4, 7)));
}

TEST(Dependency, ThreadsBeyondTheMaskShareItsLastBit) {
  EXPECT_EQ(wake_bit(ThreadId{63}), wake_bit(ThreadId{400}));
  EXPECT_NE(wake_bit(ThreadId{62}), wake_bit(ThreadId{63}));
}

TEST(Dependency, FutexWordIsMemoryAndItsQueueIsNot) {
  const Event sleep = event(OpKind::FutexWait, 1, 64, 0, 4);
  EXPECT_TRUE(dependent(sleep, event(OpKind::Store, 2, 64, 0, 4)));
  EXPECT_FALSE(dependent(sleep, event(OpKind::Load, 2, 64, 0, 4)));
  EXPECT_FALSE(dependent(sleep, event(OpKind::FutexWait, 2, 64, 0, 4)));
  EXPECT_TRUE(dependent(sleep, event(OpKind::FutexWakeLost, 2, 64, 1, 4)));
  EXPECT_FALSE(dependent(event(OpKind::FutexWake, 1, 64, 1, 4), event(OpKind::Store, 2, 64, 0, 4)));
}

TEST(Dependency, CreationAndJoinGovernTheirThread) {
  const Event create = event(OpKind::ThreadCreate, 0, 0, 3);
  EXPECT_TRUE(dependent(create, event(OpKind::Load, 3, 8)));
  EXPECT_FALSE(dependent(create, event(OpKind::Load, 2, 8)));
  EXPECT_TRUE(dependent(event(OpKind::Load, 3, 8), event(OpKind::ThreadJoin, 0, 0, 3)));
  EXPECT_TRUE(dependent(event(OpKind::ThreadJoin, 1, 0, 3), event(OpKind::ThreadDetach, 2, 0, 3)));
}

TEST(Dependency, ChoicesAreIndependentAndProgramOrderIsNot) {
  EXPECT_FALSE(dependent(event(OpKind::Choose, 1, 0), event(OpKind::Choose, 2, 0)));
  EXPECT_TRUE(dependent(event(OpKind::Choose, 1, 0), event(OpKind::Load, 1, 8)));
}

}  // namespace
// All pairs of kinds, with objects that are the same, overlap or are far apart, creating, joining and waking each
// other.
TEST(Dependency, WhatDependsIsFoundByItsPlaceAndWithout) {
  std::vector<Event> events;
  for (std::size_t kind = 0; kind < kOpKinds; ++kind) {
    for (const std::uint64_t object : {0x1000U, 0x1004U, 0x1007U, 0x2000U}) {
      for (std::uint16_t thread = 1; thread <= 3; ++thread) {
        for (const std::uint64_t second : {1U, 2U, 0x1000U}) {
          Event event;
          event.op = {.kind = static_cast<OpKind>(kind), .size = 8, .object = object, .second = second};
          const bool of_a_thread = event.op.kind == OpKind::ThreadCreate || event.op.kind == OpKind::ThreadJoin;
          if (of_a_thread && second == 0x1000U) continue;  // clocks of thousands of threads show nothing more
          event.thread = ThreadId{thread};
          if (traits(event.op.kind).wakes) event.woken = wake_bit(ThreadId{static_cast<std::uint16_t>(thread % 2)});
          events.push_back(event);
          event.total = true;
          if (object == 0x2000U && second == 1U) events.push_back(event);
        }
      }
    }
  }
  std::size_t told_apart = 0;
  for (Event a : events) {
    a.index = 1;
    Execution execution;
    execution.push(a);
    for (Event b : events) {
      if (a.thread == b.thread) continue;
      const auto finds = [&](Execution::Place place) {
        return execution.any_dependent(b, place, 0, [](std::size_t) { return true; });
      };
      ASSERT_EQ(finds({}), dependent(a, b)) << name(a.op.kind) << " and " << name(b.op.kind);
      told_apart += dependent(a, b) ? 0U : 1U;
      // The same by the places where they are.
      b.index = 1;
      execution.push(b);
      const Execution::Place place = execution.place(1);
      execution.pop();
      ASSERT_EQ(finds(place), dependent(a, b)) << name(a.op.kind) << " and " << name(b.op.kind);
      ASSERT_EQ(Execution::dependent(a, execution.place(0), b, place), dependent(a, b))
          << name(a.op.kind) << " and " << name(b.op.kind);
    }
  }
  EXPECT_GT(told_apart, events.size());
}

}  // namespace heddle
