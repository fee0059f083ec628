#include "model/execution.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "explore/engine.hpp"
#include "model/dependency.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle {
namespace {

// The definition, without clocks: the transitive closure of "earlier and dependent".
std::vector<std::vector<bool>> closure(const std::vector<Event>& events) {
  const std::size_t n = events.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  for (std::size_t k = 0; k < n; ++k) {
    before[k][k] = true;
    for (std::size_t i = k; i-- > 0;) {
      for (std::size_t j = i + 1; j <= k; ++j) {
        const bool direct = dependent(events[i], events[j]);
        if (direct && before[j][k]) before[i][k] = true;
      }
    }
  }
  return before;
}

toy::Instruction random_instruction(std::mt19937& random) {
  using namespace toy;
  const auto pick = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  switch (pick(8)) {
    case 0: return read(pick(3));
    case 1: return write(pick(3), 1);
    case 2: return fetch_add(pick(3), 1);
    case 3: return cas(pick(3), 0, 1);
    case 4: return on(Code::TryLock, 10 + pick(2));
    case 5: return on(Code::SemPost, 20);
    case 6: return try_join(pick(2));
    default: return signal(30);
  }
}

// Random programs, each run along one random schedule.
TEST(Execution, ClocksAgreeWithTheNaiveClosure) {
  std::mt19937 random(7);
  std::size_t events_seen = 0;
  for (int round = 0; round < 2000; ++round) {
    toy::ToyCode code;
    code.threads.resize(2 + random() % 3);
    for (toy::Thread& thread : code.threads) {
      for (unsigned i = 0; i < 1 + random() % 4; ++i) thread.push_back(random_instruction(random));
    }
    toy::ToyProgram program(code);
    Execution execution;
    std::vector<Event> events;
    while (!program.enabled().empty()) {
      std::vector<ThreadId> enabled;
      for (auto t = program.enabled().first(); t; t = program.enabled().after(*t)) enabled.push_back(*t);
      const ThreadId thread = enabled[random() % enabled.size()];
      const Event event = program.step({thread, program.thread(thread).outcomes.first});
      events.push_back(event);
      execution.push(event);
    }
    const auto before = closure(events);
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (std::size_t k = i; k < events.size(); ++k) {
        ASSERT_EQ(execution.happens_before(i, k), before[i][k]) << "round " << round << ": " << i << " and " << k;
      }
    }
    events_seen += events.size();
  }
  EXPECT_GT(events_seen, 10'000U);
}

TEST(Execution, PoppedEventsLeaveNoTrace) {
  Execution execution;
  const Event a{.op = {.kind = OpKind::Store, .size = 1, .object = 1}, .thread = ThreadId{0}, .index = 1};
  const Event b{.op = {.kind = OpKind::Store, .size = 1, .object = 1}, .thread = ThreadId{1}, .index = 1};
  const Event c{.op = {.kind = OpKind::Store, .size = 1, .object = 2}, .thread = ThreadId{1}, .index = 1};
  execution.push(a);
  execution.push(b);
  EXPECT_TRUE(execution.happens_before(0, 1));
  execution.pop();
  execution.push(c);
  EXPECT_FALSE(execution.happens_before(0, 1));
}

Event on_thread(OpKind kind, std::uint16_t thread, std::uint32_t index, std::uint16_t other) {
  return {.op = {.kind = kind, .second = other}, .announced = kind, .thread = ThreadId{thread}, .index = index};
}

// What else than its creation and its own events a join of thread 2 would depend on.
TEST(Execution, KnowsWhatAJoinWouldDependOn) {
  Execution execution;
  EXPECT_TRUE(execution.touched_by_none(ThreadId{2}));
  execution.push(on_thread(OpKind::ThreadCreate, 0, 1, 1));
  execution.push(on_thread(OpKind::ThreadCreate, 0, 2, 2));
  execution.push({.op = {.kind = OpKind::Store, .size = 1, .object = 1}, .thread = ThreadId{2}, .index = 1});
  EXPECT_TRUE(execution.touched_by_none(ThreadId{2}));
  for (const OpKind kind : {OpKind::ThreadDetach, OpKind::ThreadJoin}) {
    execution.push(on_thread(kind, 1, 1, 2));
    EXPECT_FALSE(execution.touched_by_none(ThreadId{2})) << name(kind);
    EXPECT_TRUE(execution.touched_by_none(ThreadId{1})) << name(kind);
    execution.pop();
  }
  EXPECT_TRUE(execution.touched_by_none(ThreadId{2}));
  // A request to end a thread depends on everything.
  execution.push(on_thread(OpKind::ThreadCancel, 1, 1, 0));
  EXPECT_FALSE(execution.touched_by_none(ThreadId{2}));
  execution.pop();
  EXPECT_TRUE(execution.touched_by_none(ThreadId{2}));
}

// What is said to have nothing behind it that depends on it has not, by the relation itself; and where only one other
// event is left it is said.
TEST(Execution, WhatIsUntouchedHasNothingDependentBehindIt) {
  std::mt19937 random(11);
  std::size_t untouched = 0;
  for (int round = 0; round < 2000; ++round) {
    // Thread 0 creates the others at random moments and joins some of them.
    Execution execution;
    std::vector<Event> events;
    std::vector<std::uint32_t> steps(4, 0);
    std::size_t created = 1;
    std::size_t joined = 1;
    const auto push = [&](Event event) {
      event.index = ++steps[event.thread.value];
      events.push_back(event);
      execution.push(event);
    };
    for (int i = 0; i < 12; ++i) {
      const auto what = random() % 8;
      if (what == 0 && created < 4) {
        push(on_thread(OpKind::ThreadCreate, 0, 0, static_cast<std::uint16_t>(created++)));
      } else if (what == 1 && random() % 4 == 0 && joined < created) {
        push(on_thread(OpKind::ThreadJoin, 0, 0, static_cast<std::uint16_t>(joined++)));
      } else if (what == 2 && random() % 8 == 0) {
        push({.op = {.kind = OpKind::Unknown}, .thread = ThreadId{0}});
      } else {
        const OpKind kind = random() % 2 == 0 ? OpKind::Load : OpKind::Store;
        const auto thread = static_cast<std::uint16_t>(joined < created ? joined + random() % (created - joined) : 0);
        push({.op = {.kind = kind, .size = 1, .object = 8 * (random() % 3)}, .thread = ThreadId{thread}});
      }
    }
    for (std::size_t k = 0; k < events.size(); ++k) {
      const Execution::Place place = execution.place(k);
      for (std::size_t from = 0; from <= events.size(); ++from) {
        if (!execution.untouched_from(from, events[k].thread, place)) continue;
        ++untouched;
        for (std::size_t i = from; i < events.size(); ++i) {
          if (i == k || events[i].thread == events[k].thread) continue;
          ASSERT_FALSE(dependent(events[k], events[i])) << "round " << round << ": " << k << " and " << i;
        }
      }
    }
  }
  EXPECT_GT(untouched, 10'000U);
}

// Places name objects by numbers, which events seen before the written ones may have used up.
TEST(Execution, PlacesStayWhenItIsWrittenDownAndReadBack) {
  const auto store = [](std::uint64_t object, std::uint32_t index) {
    return Event{.op = {.kind = OpKind::Store, .size = 1, .object = object}, .thread = ThreadId{0}, .index = index};
  };
  Execution execution;
  execution.push(store(8, 1));
  execution.pop();
  execution.push(store(16, 1));
  execution.push(store(8, 2));
  const Execution::Place first = execution.place(0);
  const Execution::Place second = execution.place(1);
  Archive written;
  execution.archive(written);
  const std::string bytes(written.written());
  Archive read{std::string_view(bytes)};
  Execution again;
  again.archive(read);
  ASSERT_EQ(again.size(), 2U);
  EXPECT_EQ(again.place(0).object, first.object);
  EXPECT_EQ(again.place(1).object, second.object);
  EXPECT_NE(first.object, second.object);
}

}  // namespace
}  // namespace heddle
