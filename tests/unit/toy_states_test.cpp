#include <gtest/gtest.h>

#include "program/toy/toy_program.hpp"

namespace heddle {
namespace {

using namespace toy;

struct Part {
  StatePart::Kind kind;
  std::uint32_t name;
  std::vector<std::byte> bytes;
  friend bool operator==(const Part&, const Part&) = default;
};

std::vector<Part> state(ToyProgram& program) {
  std::vector<StatePart> parts;
  program.describe(parts);
  std::vector<Part> copied;
  for (const StatePart& part : parts) {
    copied.push_back({part.kind, part.name, {part.bytes.begin(), part.bytes.end()}});
  }
  return copied;
}

Choice of(std::uint16_t thread, Outcome outcome = 0) { return {ThreadId{thread}, outcome}; }

TEST(ToyStates, IndependentStepsCommute) {
  ToyProgram program({{{write(1, 5), write(1, 0)}, {lock(2), unlock(2)}}, {}});
  const StateHandle start = program.save();
  program.step(of(0));
  program.step(of(1));
  const auto one = state(program);
  program.restore(start);
  program.step(of(1));
  program.step(of(0));
  EXPECT_EQ(state(program), one);
}

TEST(ToyStates, RestoringPutsEverythingBack) {
  ToyProgram program({{{lock(1), read(2, 1), expect(1, 0), unlock(1)}, {write(2, 7), lock(1)}}, {}});
  program.step(of(0));
  const auto before = state(program);
  const StateHandle kept = program.save();
  program.step(of(1));
  program.step(of(0));  // the assertion fails
  ASSERT_NE(program.raised(), nullptr);
  EXPECT_NE(state(program), before);
  program.restore(kept);
  EXPECT_EQ(state(program), before);
  EXPECT_EQ(program.raised(), nullptr);
  EXPECT_TRUE(program.enabled().contains(ThreadId{0}));
  EXPECT_EQ(program.thread(ThreadId{0}).phase, ThreadPhase::Pending);
  program.release(kept);
  EXPECT_EQ(program.kept_bytes(), 0U);
}

TEST(ToyStates, LoopsComeBackToTheSameState) {
  // lock, unlock, post, wait, arrive at a barrier of one, leave it: for ever.
  ToyProgram program(
      {{{lock(1), unlock(1), on(Code::SemPost, 3), on(Code::SemWait, 3), barrier(4, 1), set(0, 0), jump_if(0, 0, 0)}},
       {}});
  const auto start = state(program);
  for (int i = 0; i < 6; ++i) {
    program.step(of(0));
    EXPECT_EQ(state(program) == start, i == 5) << i;
  }
}

TEST(ToyStates, ALocalPartChangesByItsOwnThreadOnly) {
  const Thread waiter{lock(1), cond_wait(2, 1), unlock(1)};
  ToyProgram program({{{create(2), lock(1), signal(2), unlock(1)}, waiter, {write(3, 1)}}, {}});
  const auto local = [&](std::uint32_t thread) {
    for (const Part& part : state(program)) {
      if (part.kind == StatePart::Kind::Local && part.name == thread) return part.bytes;
    }
    return std::vector<std::byte>{};
  };
  EXPECT_TRUE(local(2).empty());  // not started
  program.step(of(1));
  program.step(of(1));
  const auto waiting = local(1);
  const auto main_before = local(0);
  program.step(of(0));
  EXPECT_NE(local(0), main_before);
  program.step(of(0));
  const auto unwoken = state(program);
  program.step(of(0));
  EXPECT_EQ(local(1), waiting);
  EXPECT_NE(state(program).front(), unwoken.front());  // that it was woken is shared
}

TEST(ToyStates, WhoReadsALockIsASet) {
  const Thread reader{on(Code::ReadLock, 1), on(Code::ReadUnlock, 1)};
  ToyProgram program({{reader, reader}, {}});
  const StateHandle start = program.save();
  program.step(of(0));
  program.step(of(1));
  const auto one = state(program);
  program.restore(start);
  program.step(of(1));
  program.step(of(0));
  EXPECT_EQ(state(program), one);
}

}  // namespace
}  // namespace heddle
