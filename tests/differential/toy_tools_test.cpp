// The tools around the oracle: generator, text form, shrinker, editing, C emission; and the corpus against its counts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "differential/commutation.hpp"
#include "differential/emit_c.hpp"
#include "differential/generator.hpp"
#include "differential/oracle.hpp"
#include "differential/shrinker.hpp"
#include "differential/toy_edit.hpp"
#include "differential/toy_text.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

std::set<Code> codes(const ToyCode& code) {
  std::set<Code> result;
  for (const Thread& thread : code.threads) {
    for (const Instruction& i : thread) result.insert(i.code);
  }
  return result;
}

std::set<Code> codes(Family family, std::uint64_t seeds) {
  std::set<Code> result;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) result.merge(codes(generate(family, seed)));
  return result;
}

TEST(Generator, ProgramsAreWellFormedSmallAndReproducible) {
  for (const Family family : kFamilies) {
    std::set<std::string> different;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const ToyCode code = generate(family, seed);
      EXPECT_TRUE(well_formed(code)) << to_text(code);
      // Those with nothing to do in a crowd come first.
      const std::size_t idle = family == Family::Crowd ? 62 : 0;
      ASSERT_GE(code.threads.size(), idle + 2);
      EXPECT_LE(code.threads.size(), idle + 4);
      for (std::size_t t = 0; t < idle; ++t) EXPECT_TRUE(code.threads[t].empty());
      EXPECT_LE(visible_operations(code), 9U + 4 + 6);  // the last fragment may go beyond; creations and joins
      different.insert(to_text(code));
      EXPECT_EQ(to_text(generate(family, seed)), to_text(code));
    }
    EXPECT_GT(different.size(), 80U) << text(family);
  }
}

TEST(Generator, MostProgramsAreSmallEnoughForTheOracle) {
  for (const Family family : kFamilies) {
    int too_large = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) too_large += all_traces(generate(family, seed)).limit_hit ? 1 : 0;
    EXPECT_LE(too_large, 10) << text(family);
  }
}

TEST(Generator, FamiliesUseTheirInstructions) {
  const std::vector<std::pair<Family, std::set<Code>>> expected{
      {Family::ReadWrite, {Code::Read, Code::Write}},
      {Family::Rmw, {Code::Cas, Code::FetchAdd, Code::JumpIf, Code::JumpUnless}},
      {Family::Lock, {Code::Lock, Code::Unlock}},
      {Family::NestedLocks, {Code::Lock, Code::Unlock}},
      {Family::TryLock, {Code::TryLock, Code::TimedLock, Code::Lock}},
      {Family::Semaphore, {Code::SemWait, Code::SemTryWait, Code::SemPost}},
      {Family::RwLock, {Code::ReadLock, Code::WriteLock, Code::TryReadLock, Code::TryWriteLock}},
      {Family::NestedRwLock, {Code::ReadLock, Code::WriteLock, Code::Lock, Code::Await}},
      {Family::Condition, {Code::CondWait, Code::CondTimedWait, Code::Signal, Code::Broadcast}},
      {Family::Barrier, {Code::Barrier}},
      {Family::Await, {Code::Await}},
      {Family::CreateJoin, {Code::Create, Code::Join, Code::TryJoin}},
      {Family::Choice, {Code::Choose, Code::JumpIf}},
      {Family::Branch, {Code::Set, Code::Add, Code::JumpIf, Code::JumpUnless}},
      {Family::AssertAssume, {Code::Assert, Code::Assume}},
      {Family::Power, {Code::Read, Code::Write}},
      {Family::Wide, {Code::ReadPair, Code::WritePair, Code::CasPair, Code::System}},
  };
  for (const auto& [family, wanted] : expected) {
    const std::set<Code> used = codes(family, 30);
    EXPECT_TRUE(std::includes(used.begin(), used.end(), wanted.begin(), wanted.end())) << text(family);
  }
  // Only the papers' programs add registers.
  std::set<Code> all = codes(Family::All, 300);
  all.merge(codes(Family::Wide, 30));
  EXPECT_EQ(all.size(), static_cast<std::size_t>(Code::Assume)) << "every other instruction there is";
}

TEST(Generator, FamiliesHaveTheirEndings) {
  const auto kinds = [](Family family) {
    std::set<std::string> result;
    for (std::uint64_t seed = 0; seed < 60; ++seed) result.merge(all_traces(generate(family, seed)).finding_kinds());
    return result;
  };
  using Kinds = std::set<std::string>;
  EXPECT_EQ(kinds(Family::ReadWrite), Kinds{});
  for (const Family family : {Family::NestedLocks, Family::NestedRwLock, Family::Condition, Family::Semaphore}) {
    EXPECT_EQ(kinds(family), Kinds{"deadlock"}) << text(family);
  }
  EXPECT_EQ(kinds(Family::AssertAssume), Kinds{"assertion"});
}

TEST(Generator, NamesOfFamilies) {
  for (const Family family : kFamilies) EXPECT_EQ(family_from_text(text(family)), family);
  EXPECT_EQ(family_from_text("none"), std::nullopt);
}

TEST(ToyText, ReadsWhatItWrites) {
  for (const Family family : kFamilies) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const ToyText program{.about = "one\n\ntwo\n",
                            .code = generate(family, seed),
                            .options = {.timeouts = 1, .spurious_wakeups = 3},
                            .traces = seed};
      const std::string text = to_text(program);
      EXPECT_EQ(to_text(toy_from_text(text)), text);
    }
  }
}

TEST(ToyText, ReadMeansTheSame) {
  const ToyText program = toy_from_text(
      "semaphores 2\nthread\n  cas x1 0 7 r3\n  jump_if r3 0 @3\n  sem_wait s0\nthread\n  write_register x1 r2 -4\n");
  EXPECT_EQ(program.code.semaphores, std::vector<std::int64_t>{2});
  const Instruction& cas = program.code.threads.at(0).at(0);
  EXPECT_EQ(cas.code, Code::Cas);
  EXPECT_EQ(cas.a, 1U);
  EXPECT_EQ(cas.value2, 7);
  EXPECT_EQ(cas.reg, 3U);
  EXPECT_EQ(program.code.threads[0].at(1).target, 3U);
  const Instruction& write = program.code.threads.at(1).at(0);
  EXPECT_TRUE(write.use_register);
  EXPECT_EQ(write.reg2, 2U);
  EXPECT_EQ(write.value, -4);
}

TEST(ToyText, ComplaintsNameTheLine) {
  for (const char* const wrong : {"thread\n  fly x1\n", "thread\n  read x1\n", "thread\n  read m1 r0\n",
                                  "thread\n  read x r0\n", "colour 1\nthread\n"}) {
    try {
      const ToyText program = toy_from_text(wrong);
      ADD_FAILURE() << wrong;
    } catch (const ToyTextError& error) {
      EXPECT_EQ(std::string(error.what()).find("line "), 0U) << error.what();
    }
  }
  EXPECT_THROW((void)toy_from_text("thread\n  jump_if r0 0 @0\n"), ToyTextError);  // backward
  EXPECT_THROW((void)toy_from_text(""), ToyTextError);
}

TEST(ToyEdit, JumpsFollowTheirInstructions) {
  Thread thread{read(0), jump_if(0, 0, 3), write(0, 1), write(1, 1)};
  remove_at(thread, 0);
  EXPECT_EQ(thread.at(0).target, 2U);
  remove_at(thread, 2);  // the target itself: now the end
  EXPECT_EQ(thread.at(0).target, 2U);
  remove_at(thread, 1);
  EXPECT_EQ(thread.at(0).target, 1U);
  insert_at(thread, 0, read(5));
  EXPECT_EQ(thread.at(1).target, 2U);
}

TEST(ToyEdit, RemovedThreadsTakeTheirCreationAndJoinsWithThem) {
  ToyCode code{{{create(1), create(2), join(1), join(2)}, {write(0, 1)}, {read(0)}}, {}};
  remove_thread(code, 1);
  EXPECT_EQ(to_text(code), to_text({{{create(1), join(1)}, {read(0)}}, {}}));
}

TEST(ToyEdit, CreatedBefore) {
  const ToyCode code{{{create(1), create(2), join(1)}, {write(0, 1), create(3)}, {join(1)}, {join(1), join(2)}}, {}};
  EXPECT_TRUE(created_before(code, 1, 0, 2));
  EXPECT_TRUE(created_before(code, 1, 2, 0));   // an elder brother
  EXPECT_FALSE(created_before(code, 1, 3, 0));  // its creator, whose own creation may not have returned yet
  EXPECT_FALSE(created_before(code, 2, 3, 1));  // a brother of the creator, perhaps not there yet
  EXPECT_FALSE(created_before(code, 3, 0, 3));
  const ToyCode perhaps{{{choose(2), jump_if(0, 0, 3), create(1), write(0, 1)}, {read(0)}}, {}};
  EXPECT_FALSE(created_before(perhaps, 1, 0, 3));
  const ToyCode roots{{{write(0, 1)}, {join(0)}}, {}};
  EXPECT_TRUE(created_before(roots, 0, 1, 0));
  EXPECT_FALSE(created_before(roots, 1, 0, 0));
}

TEST(Shrinker, LeavesWhatIsNeeded) {
  const ToyCode code{{{write(0, 2), lock(0), read(1), lock(1), unlock(1), unlock(0), write(3, 1)},
                      {fetch_add(0, 1)},
                      {lock(1), choose(2), jump_if(0, 0, 5), write(1, 1), write(1, 2), lock(0), unlock(0), unlock(1)}},
                     {3, 1}};
  const auto can_deadlock = [](const ToyCode& program) {
    const std::set<std::string> kinds = all_traces(program).finding_kinds();
    return kinds.contains("deadlock") && !kinds.contains("lock-misuse");
  };
  ASSERT_TRUE(can_deadlock(code));
  const ToyCode small = shrink(code, can_deadlock);
  EXPECT_TRUE(can_deadlock(small));
  // What is left of the two locks in opposite order is another deadlock: somebody ends with the mutex locked.
  EXPECT_EQ(to_text(small), to_text({{{lock(0)}, {lock(0)}}, {}}));
}

TEST(Shrinker, MakesNumbersAndInstructionsSimpler) {
  const ToyCode code{{{cond_timed_wait(3, 2, 5)}, {write(2, 7)}}, {4}};
  const ToyCode small = shrink(code, [](const ToyCode& program) { return visible_operations(program) >= 3; });
  EXPECT_EQ(to_text(small), to_text({{{cond_wait(0, 0)}, {write(0, 0)}}, {}}));
}

TEST(Shrinker, TriesWellFormedProgramsOnly) {
  const auto has_several_traces = [](const ToyCode& program) {
    EXPECT_TRUE(well_formed(program)) << to_text(program);
    return all_traces(program).traces.size() >= 2;
  };
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ToyCode code = generate(Family::All, seed);
    if (!has_several_traces(code)) continue;
    const ToyCode small = shrink(code, has_several_traces);
    EXPECT_LE(visible_operations(small), 3U) << to_text(small);
  }
}

TEST(EmitC, WhatCCanSay) {
  EXPECT_TRUE(can_be_c({{{await(0, 1)}}, {}}));
  EXPECT_FALSE(can_be_c({{{barrier(0, 2)}, {barrier(0, 3)}}, {}}));
  EXPECT_TRUE(can_be_c({{{barrier(0, 2)}, {barrier(0, 2), barrier(1, 3)}}, {}}));
  EXPECT_FALSE(can_be_c({{{write(0, 1)}, {join(0)}, {join(0)}}, {}}));
  EXPECT_FALSE(can_be_c({{{join(1)}, {write(0, 1)}}, {}}));
}

TEST(EmitC, MainCreatesWhomNobodyElseDoes) {
  const ToyCode code{{{create(2)}, {join(0)}, {write(0, 1)}}, {}};
  EXPECT_EQ(to_text(with_main(code)), to_text({{{create(1), create(2)}, {create(3)}, {join(1)}, {write(0, 1)}}, {}}));
  EXPECT_EQ(to_text(with_main(code, MainJoins::Yes)),
            to_text({{{create(1), create(2), join(2)}, {create(3)}, {join(1)}, {write(0, 1)}}, {}}));
}

TEST(EmitC, OneStatementEach) {
  const std::string text = emit_c({{{create(1), choose(2), jump_if(0, 1, 4), on(Code::SemPost, 0)},
                                    {lock(2), write_register(1, 3, 2), cond_wait(0, 2), unlock(2)}},
                                   {1}});
  for (const char* const line :
       {"pthread_create(&t1, NULL, thread1, NULL);", "r[0] = heddle_choose(2);", "if (r[0] == 1) goto at4;", "at4:;",
        "sem_init(&s0, 0, 1);", "atomic_store(&x1, r[3] + 2);", "pthread_cond_wait(&c0, &m2);",
        "static pthread_mutex_t m2"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

TEST(Corpus, HasTheNumbersOfTracesItSays) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_TOY_CORPUS)) {
    SCOPED_TRACE(entry.path().filename());
    std::ostringstream content;
    content << std::ifstream(entry.path()).rdbuf();
    const ToyText program = toy_from_text(content.str());
    EXPECT_EQ(to_text(program), content.str()) << "not in the form that is written";
    EXPECT_FALSE(program.about.empty());
    const OracleResult result = all_traces(program.code, program.options);
    EXPECT_EQ(result.traces.size(), program.traces);
    EXPECT_EQ(commutation_error(program.code, program.options).value_or(""), "");
    ++files;
  }
  EXPECT_GE(files, 7U);
}

}  // namespace
}  // namespace heddle::differential
