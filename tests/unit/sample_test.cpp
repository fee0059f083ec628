// Samplers: reproducible, and as likely to meet things as they promise. Every test draws with a fixed seed.
#include "explore/sample/sampler.hpp"

#include <gtest/gtest.h>

#include <map>

#include "explore_all.hpp"

namespace heddle {
namespace {

using namespace toy;

constexpr std::uint64_t kRuns = 2000;

// Remembers the threads of each run, in order.
class Recorder final : public Reduction {
 public:
  explicit Recorder(Reduction& inner) : inner_(inner) {}
  MaybeChoice first_choice(const Program& program) override { return inner_.first_choice(program); }
  void performed(const Program& program, const Event& event) override {
    run_ += static_cast<char>('0' + event.thread.value);
    inner_.performed(program, event);
  }
  void ended(const Program& program, bool cut) override {
    runs.push_back(run_);
    run_.clear();
    inner_.ended(program, cut);
  }
  std::optional<Branch> backtrack(Prober& prober) override { return inner_.backtrack(prober); }

  std::vector<std::string> runs;

 private:
  Reduction& inner_;
  std::string run_;
};

struct Drawn {
  std::vector<std::string> runs;
  Statistics statistics;
  SampleReport report;
};

Drawn draw(const ToyCode& code, const SampleChoice& choice) {
  ToyProgram program(code);
  const std::unique_ptr<Sampler> sampler = make_sampler(choice);
  Recorder recorder(*sampler);
  Collected collected;
  const ExploreResult result = Engine(program, recorder, collected, {.budget = {}, .keep_going = true}).explore();
  EXPECT_EQ(result.ended, Ended::Complete);
  return {recorder.runs, result.statistics, sampler->report()};
}

constexpr std::array kKinds{SampleKind::Random, SampleKind::Pct, SampleKind::Pos};

TEST(Sample, TheSameSeedDrawsTheSameRuns) {
  const Thread thread{write(0, 1), read(1), write(1, 1)};
  const ToyCode code{{thread, thread, thread}, {}};
  for (const SampleKind kind : kKinds) {
    const Drawn once = draw(code, {.kind = kind, .runs = 50, .seed = 7});
    EXPECT_EQ(once.runs.size(), 50U);
    EXPECT_EQ(once.runs, draw(code, {.kind = kind, .runs = 50, .seed = 7}).runs);
    EXPECT_NE(once.runs, draw(code, {.kind = kind, .runs = 50, .seed = 8}).runs);
  }
}

// Two steps that are in conflict: each order with probability 1/2. Over 2000 runs, 1000 +- 5 standard deviations of 22.
TEST(Sample, BothOrdersAreEquallyLikely) {
  const ToyCode code{{{write(0, 1)}, {write(0, 2)}}, {}};
  for (const SampleKind kind : kKinds) {
    const Drawn drawn = draw(code, {.kind = kind, .runs = kRuns});
    const auto first = std::count(drawn.runs.begin(), drawn.runs.end(), "01");
    EXPECT_NEAR(static_cast<double>(first), kRuns / 2.0, 112) << kSampleNames[static_cast<std::size_t>(kind)];
  }
}

// A random walk through two threads of two steps: each of the first two choices is even, so 0011 and 1100 have 1/4 each
// and the other four interleavings 1/8 each. Five standard deviations: 97 and 74.
TEST(Sample, RandomWalkChoosesEvenlyAtEachStep) {
  const Thread thread{write(0, 1), write(0, 2)};
  const Drawn drawn = draw({{thread, thread}, {}}, {.kind = SampleKind::Random, .runs = kRuns});
  std::map<std::string, int> times;
  for (const std::string& run : drawn.runs) ++times[run];
  EXPECT_EQ(times.size(), 6U);
  for (const auto& [run, count] : times) {
    const bool in_a_row = run == "0011" || run == "1100";
    EXPECT_NEAR(count, in_a_row ? kRuns / 4.0 : kRuns / 8.0, in_a_row ? 97 : 74) << run;
  }
}

// With depth 1 nobody is ever preempted: 2 threads of 3 steps have 2 runs.
TEST(Sample, PctOfDepthOneNeverPreempts) {
  const Thread thread{write(0, 1), write(0, 2), write(0, 3)};
  const Drawn drawn = draw({{thread, thread}, {}}, {.kind = SampleKind::Pct, .runs = 200, .depth = 1});
  for (const std::string& run : drawn.runs) EXPECT_TRUE(run == "000111" || run == "111000") << run;
}

// A lost update: depth 2. PCT promises 1 / (n * k).
TEST(Sample, PctKeepsItsPromise) {
  const Thread update{read(0, 0), write_register(0, 0, 1)};
  const ToyCode lost{{{create(1), create(2), join(1), join(2), read(0, 2), expect(2, 2)}, update, update}, {}};
  const Drawn drawn = draw(lost, {.kind = SampleKind::Pct, .runs = kRuns, .depth = 2});
  EXPECT_GT(drawn.statistics.failures, 0U);
  EXPECT_GE(static_cast<double>(drawn.statistics.failures) / kRuns, pct_probability(drawn.report, 2));
}

// Of two reads of a version that is written twice, the first sees 1 and the second 2: depth 3.
TEST(Sample, PctKeepsItsPromiseForDepthThree) {
  const Thread writer{write(0, 1), write(0, 2)};
  // Fails if it reads 1 and then 2.
  const Thread reader{read(0, 0), jump_unless(0, 1, 5), read(0, 1), jump_unless(1, 2, 5), expect(1, 0), set(3, 0)};
  const Drawn drawn = draw({{writer, reader}, {}}, {.kind = SampleKind::Pct, .runs = kRuns, .depth = 3});
  EXPECT_GT(drawn.statistics.failures, 0U);
  EXPECT_GE(static_cast<double>(drawn.statistics.failures) / kRuns, pct_probability(drawn.report, 3));
}

TEST(Sample, TheBoundOfPct) {
  EXPECT_DOUBLE_EQ(pct_probability({.runs = 1, .threads = 2, .decisions = 10}, 1), 0.5);
  EXPECT_DOUBLE_EQ(pct_probability({.runs = 1, .threads = 2, .decisions = 10}, 3), 1 / 200.0);
}

}  // namespace
}  // namespace heddle
