#include "explore/minimise.hpp"

#include <gtest/gtest.h>

#include <map>

#include "differential/generator.hpp"
#include "differential/toy_text.hpp"
#include "explore/guided_run.hpp"
#include "explore_all.hpp"

namespace heddle {
namespace {

using namespace toy;

using FindingName = std::pair<FindingKind, std::uint64_t>;

// Every execution of a program, by plain recursion, and for each finding the smallest measure with which it shows. A
// thread that fails stops, and the others run on: an execution may show several.
class Enumeration {
 public:
  explicit Enumeration(const ToyCode& code) : program_(code) { go_on({}, 0); }

  std::map<FindingName, Measure> smallest;
  std::map<FindingName, std::vector<PlannedChoice>> first;  // met
  bool too_many = false;

 private:
  void go_on(std::vector<PlannedChoice> schedule, std::size_t preemptions) {
    if (++states_ > 20'000) too_many = true;
    if (too_many) return;
    program_.restart();
    for (const PlannedChoice& planned : schedule) program_.step(planned.choice);
    if (program_.abandoned()) return;
    if (const Finding* raised = program_.raised()) note(*raised, schedule, preemptions);
    const ThreadSet enabled = program_.enabled();
    if (enabled.empty()) {
      if (const auto finding = program_.conclude()) note(*finding, schedule, preemptions);
      return;
    }
    std::vector<PlannedChoice> options;
    for (auto thread = enabled.first(); thread; thread = enabled.after(*thread)) {
      const ThreadState& state = program_.thread(*thread);
      for (Outcome outcome = state.outcomes.first; outcome < state.outcomes.end(); ++outcome) {
        options.push_back({{*thread, outcome}, digest(state.pending)});
      }
    }
    for (const PlannedChoice& option : options) {
      const bool switches = !schedule.empty() && schedule.back().choice.thread != option.choice.thread;
      const bool preempts = switches && enabled.contains(schedule.back().choice.thread);
      std::vector<PlannedChoice> longer = schedule;
      longer.push_back(option);
      go_on(longer, preemptions + (preempts ? 1 : 0));
    }
  }

  void note(const Finding& finding, const std::vector<PlannedChoice>& schedule, std::size_t preemptions) {
    Measure measure{preemptions, schedule.size(), 0};
    for (const PlannedChoice& planned : schedule) measure.data += planned.choice.outcome;
    const FindingName name{finding.kind, finding.key};
    first.try_emplace(name, schedule);
    const auto [best, fresh] = smallest.try_emplace(name, measure);
    if (!fresh) best->second = std::min(best->second, measure);
  }

  ToyProgram program_;
  std::size_t states_ = 0;
};

class MinimiseEachFamily : public testing::TestWithParam<differential::Family> {};

TEST_P(MinimiseEachFamily, FindsWhatAnEnumerationFinds) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const ToyCode code = differential::generate(GetParam(), seed, {.visible_operations = 6});
    const Enumeration all(code);
    if (all.too_many) continue;
    for (const auto& [name, schedule] : all.first) {
      Finding finding;
      finding.kind = name.first;
      finding.key = name.second;
      ToyProgram program(code);
      const auto minimised = minimise(program, schedule, finding, {.events = 10'000'000});
      ASSERT_TRUE(minimised) << differential::to_text({"", code, {}, {}});
      EXPECT_EQ(minimised->after, all.smallest.at(name)) << differential::to_text({"", code, {}, {}});
      EXPECT_TRUE(minimised->fewest_preemptions && minimised->smallest);
      EXPECT_LE(minimised->after, minimised->before);
      const GuidedRun again = run_guided(program, minimised->schedule, {}, minimised->schedule.size(), &finding);
      ASSERT_TRUE(again.finding);
      EXPECT_EQ(again.finding->key, finding.key);
      ++compared;
    }
  }
  RecordProperty("findings", static_cast<int>(compared));
}

INSTANTIATE_TEST_SUITE_P(Families, MinimiseEachFamily, testing::ValuesIn(differential::kFamilies),
                         [](const auto& family) {
                           std::string name(differential::text(family.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A counter read and written by two threads: one preemption between a read and its write is needed, and enough.
TEST(Minimise, LostUpdateNeedsOnePreemption) {
  const ToyCode code{{{create(1), create(2), join(1), join(2), read(1), expect(0, 2)},
                      {read(1), write_register(1, 0, 1)},
                      {read(1), write_register(1, 0, 1)}},
                     {}};
  const Explored explored = explore_all(code);
  ASSERT_EQ(explored.findings.size(), 1U);
  ToyProgram program(code);
  const auto minimised = minimise(program, explored.schedules[0], explored.findings[0]);
  ASSERT_TRUE(minimised);
  EXPECT_EQ(minimised->after.preemptions, 1U);
  EXPECT_EQ(minimised->after.length, 9U);  // two creations, two joins, two reads and writes, the last read
  EXPECT_TRUE(minimised->fewest_preemptions);
}

TEST(Minimise, TheSmallestChoiceIsTaken) {
  const ToyCode code{{{choose(5), jump_if(0, 0, 4), jump_if(0, 1, 4), expect(1, 7), read(1)}}, {}};
  ToyProgram program(code);
  Finding finding;
  program.restart();
  const std::vector<PlannedChoice> schedule{{{kMainThread, 4}, digest(program.thread(kMainThread).pending)}};
  program.step({kMainThread, 4});
  ASSERT_NE(program.raised(), nullptr);
  finding = *program.raised();
  const auto minimised = minimise(program, schedule, finding);
  ASSERT_TRUE(minimised);
  EXPECT_EQ(minimised->schedule[0].choice.outcome, 2U);
}

TEST(Minimise, StopsAtItsLimitAndSaysSo) {
  std::vector<Instruction> body;
  for (int i = 0; i < 12; ++i) body.push_back(fetch_add(1, 1));
  const ToyCode code{{{create(1), create(2), join(1), join(2), read(2), expect(0, 7)}, body, body}, {}};
  ToyProgram program(code);
  program.restart();
  std::vector<PlannedChoice> schedule;
  // Alternating: every switch between the two is a preemption.
  ThreadId last = kMainThread;
  while (program.raised() == nullptr) {
    const auto next = program.enabled().after(last);
    const ThreadId thread = next ? *next : *program.enabled().first();
    schedule.push_back({{thread, 0}, digest(program.thread(thread).pending)});
    program.step({thread, 0});
    last = thread;
  }
  const Finding finding = *program.raised();
  const auto nothing = minimise(program, schedule, finding, {.events = 1});
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(nothing->fewest_preemptions);
  EXPECT_EQ(nothing->schedule.size(), schedule.size());
  const auto much = minimise(program, schedule, finding);
  ASSERT_TRUE(much);
  EXPECT_GT(much->before.preemptions, 20U);
  EXPECT_EQ(much->after.preemptions, 0U);
  EXPECT_TRUE(much->fewest_preemptions);
}

TEST(Minimise, AScheduleThatDoesNotShowTheFindingIsLeftAlone) {
  ToyProgram program({{{read(1)}, {read(1)}}, {}});
  EXPECT_FALSE(minimise(program, {}, Finding{}));
}

}  // namespace
}  // namespace heddle
