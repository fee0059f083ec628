// Searches that were cut short and went on: from wherever they are resumed, they end as they would have ended. The
// search that nobody interrupted is the oracle.
#include <gtest/gtest.h>

#include <bit>

#include "differential/generator.hpp"
#include "differential/loops.hpp"
#include "differential/toy_knowledge.hpp"
#include "differential/toy_text.hpp"
#include "explore/portfolio.hpp"
#include "explore/search_run.hpp"
#include "explore_all.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

#ifdef HEDDLE_SLOW_BUILD
constexpr std::uint64_t kPrograms = 3;
#else
constexpr std::uint64_t kPrograms = 12;
#endif
constexpr std::uint64_t kMostExecutions = 400;
constexpr std::size_t kResumed = 5;  // points of each search

// Remembers every checkpoint, and what had been found by then.
class Keeper final : public Listener {
 public:
  struct Point {
    std::string state;
    std::size_t findings;
  };
  void found(const Finding& finding, std::span<const PlannedChoice> schedule) override {
    std::string text = std::to_string(finding.key);
    for (const PlannedChoice& planned : schedule) {
      text += " " + std::to_string(planned.choice.thread.value) + "!" + std::to_string(planned.choice.outcome);
    }
    findings.push_back(text);
  }
  [[nodiscard]] bool wants_checkpoint() override {
    if (!sparing) return true;
    if (++asked < next) return false;
    next += next / 2 + 1;
    return true;
  }
  void checkpoint(std::string_view state) override { points.push_back({std::string(state), findings.size()}); }

  bool sparing = false;  // of checkpoints, which hold all states met so far
  std::size_t asked = 0;
  std::size_t next = 1;
  std::vector<std::string> findings;
  std::vector<Point> points;
};

struct Outcome {
  SearchResult result;
  Keeper kept;
};

Outcome run(const ToyCode& code, ToyOptions options, const SearchRequest& request) {
  ToyProgram program(code, options);
  Outcome outcome;
  outcome.kept.sparing = request.mode == SearchMode::States;
  outcome.result = SearchRun(program, outcome.kept, request).run();
  return outcome;
}

using Figures = std::array<std::uint64_t, sizeof(Statistics) / sizeof(std::uint64_t)>;
Figures figures(const Outcome& outcome) { return std::bit_cast<Figures>(outcome.result.explored.statistics); }

using Bound = std::array<std::uint64_t, 5>;
std::vector<Bound> bounds(const Outcome& outcome) {
  std::vector<Bound> figures;
  for (const BoundReport& report : outcome.result.bounds) {
    figures.push_back({report.bound, report.executions, report.blocked, report.states, report.complete});
  }
  return figures;
}

void expect_same_end(const Outcome& resumed, const Keeper::Point& from, const Outcome& whole) {
  EXPECT_EQ(resumed.result.explored.ended, whole.result.explored.ended);
  EXPECT_EQ(resumed.result.explored.cut_executions, whole.result.explored.cut_executions);
  EXPECT_EQ(figures(resumed), figures(whole));
  std::vector<std::string> findings(whole.kept.findings.begin(),
                                    whole.kept.findings.begin() + static_cast<std::ptrdiff_t>(from.findings));
  findings.insert(findings.end(), resumed.kept.findings.begin(), resumed.kept.findings.end());
  EXPECT_EQ(findings, whole.kept.findings);
  EXPECT_EQ(resumed.result.partial_orders, whole.result.partial_orders);
  EXPECT_EQ(resumed.result.everything, whole.result.everything);
  EXPECT_EQ(bounds(resumed), bounds(whole));
  ASSERT_EQ(resumed.result.estimate.has_value(), whole.result.estimate.has_value());
  if (!whole.result.estimate) return;
  EXPECT_EQ(resumed.result.estimate->executions, whole.result.estimate->executions);
}

// How many searches were resumed.
std::size_t expect_resumable(const ToyCode& code, ToyOptions options, SearchRequest request) {
  const Outcome whole = run(code, options, request);
  // How much a search keeps besides what it stores, and so when it has no memory left, is not the same.
  if (whole.result.explored.ended == Ended::Memory) return 0;
  const std::vector<Keeper::Point>& points = whole.kept.points;
  const std::size_t step = std::max<std::size_t>(1, points.size() / kResumed);
  std::size_t resumed = 0;
  for (std::size_t i = 0; i < points.size(); i += step, ++resumed) {
    request.resume_from = points[i].state;
    expect_same_end(run(code, options, request), points[i], whole);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "resumed after " << i + 1 << " of " << points.size() << " executions\n"
                    << to_text({"", code, options, {}});
      break;
    }
  }
  return resumed;
}

std::vector<SearchRequest> all_searches() {
  std::vector<SearchRequest> requests;
  SearchRequest request;
  request.explore.keep_going = true;
  request.explore.budget.max_executions = kMostExecutions;
  request.estimate = {.at_once = 20, .share = 2};
  for (const ReductionKind kind : {ReductionKind::None, ReductionKind::Sleep, ReductionKind::Persistent,
                                   ReductionKind::Source, ReductionKind::Optimal}) {
    request.reduction = {kind, ThreadOrder::Lowest, {}};
    requests.push_back(request);
  }
  request.reduction.order = ThreadOrder::Highest;
  request.self_check = true;
  requests.push_back(request);
  request.self_check = false;
  request.reduction = {ReductionKind::Persistent, ThreadOrder::Lowest, {PersistentVariant::LastAccess, false}};
  requests.push_back(request);
  request.reduction = {};
  request.mode = SearchMode::Bound;
  request.bound = {BoundKind::Plain, {1, 1}};
  requests.push_back(request);
  for (const BoundKind kind : {BoundKind::AllStates, BoundKind::Terminals}) {
    request.bound = {kind, {0, kNoBound}};
    requests.push_back(request);
  }
  request.self_check = true;
  request.bound = {BoundKind::Terminals, {1, 2}};
  requests.push_back(request);
  request.self_check = false;
  request.mode = SearchMode::Sample;
  for (const SampleKind kind : {SampleKind::Random, SampleKind::Pct, SampleKind::Pos}) {
    request.sample = {.kind = kind, .runs = 40};
    requests.push_back(request);
  }
  return requests;
}

// With static sets only where something is known.
std::vector<SearchRequest> searches_over_states(const StaticKnowledge* known) {
  std::vector<SearchRequest> requests;
  SearchRequest request;
  request.mode = SearchMode::States;
  request.explore.keep_going = true;
  request.states.store.max_memory = std::uint64_t{1} << 18U;
  for (const StateReduction reduction : {StateReduction::None, StateReduction::Sleep, StateReduction::Cartesian}) {
    request.states.reduction = reduction;
    request.states.store.hash_only = reduction == StateReduction::None;
    requests.push_back(request);
  }
  request.states = {StateReduction::Sleep, request.states.store};
  request.reduction.kind = ReductionKind::Static;
  request.reduction.known = known;
  requests.push_back(request);
  return requests;
}

class Resumed : public testing::TestWithParam<Family> {};

TEST_P(Resumed, EndsAsIfNothingHadHappened) {
  std::size_t resumed = 0;
  for (std::uint64_t seed = 7'000'000; seed < 7'000'000 + kPrograms; ++seed) {
    const ToyOptions options{.timeouts = static_cast<unsigned>(seed % 3),
                             .spurious_wakeups = static_cast<unsigned>(seed % 5 == 0)};
    for (const SearchRequest& request : all_searches()) {
      resumed += expect_resumable(generate(GetParam(), seed), options, request);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(resumed, 10 * kPrograms);
}

TEST_P(Resumed, OverStates) {
  std::size_t resumed = 0;
  for (std::uint64_t seed = 7'100'000; seed < 7'100'000 + kPrograms / 3; ++seed) {
    const ToyOptions options{.timeouts = static_cast<unsigned>(seed % 3)};
    const ToyCode code =
        seed % 2 == 0 ? generate(GetParam(), seed) : generate_with_loops(GetParam(), seed, {.visible_operations = 8});
    const StaticKnowledge known = toy_knowledge(code, options);
    for (const SearchRequest& request : searches_over_states(&known)) {
      resumed += expect_resumable(code, options, request);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(resumed, 2 * kPrograms);
}

std::string family_name(const testing::TestParamInfo<Family>& info) {
  std::string name(text(info.param));
  std::erase(name, '-');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Searches, Resumed, testing::ValuesIn(kFamilies), family_name);

// Budgets are no part of a checkpoint: one search in pieces of three executions, each with a process of its own.
TEST(Resume, PieceByPiece) {
  const Thread thread{write(0, 1), read(1), write(1, 1)};
  const ToyCode code{{thread, thread, thread}, {}};
  SearchRequest request;
  const Outcome whole = run(code, {}, request);
  std::uint64_t pieces = 0;
  for (;; ++pieces) {
    request.explore.budget.max_executions = 3 * (pieces + 1);
    const Outcome piece = run(code, {}, request);
    if (piece.result.explored.ended == Ended::Complete) {
      EXPECT_EQ(figures(piece), figures(whole));
      break;
    }
    ASSERT_EQ(piece.result.explored.ended, Ended::Executions);
    request.resume_from = piece.kept.points.back().state;
  }
  EXPECT_EQ(pieces, (whole.result.explored.statistics.executions - 1) / 3);
}

// Two processes take turns as they please: what they come to is compared, not how.
TEST(Resume, TwoProcessesOverStates) {
  std::size_t resumed = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const StateReduction reduction : {StateReduction::None, StateReduction::Cartesian}) {
      const ToyCode code = generate_with_loops(Family::Rmw, seed, {.visible_operations = 12});
      SearchRequest request;
      request.mode = SearchMode::States;
      request.explore.keep_going = true;
      request.states = {reduction, {.hash_only = false, .max_memory = std::uint64_t{1} << 24U}};
      const Outcome alone = run(code, {}, request);
      request.states.jobs = 2;
      const Outcome together = run(code, {}, request);
      for (const Keeper::Point& point : together.kept.points) {
        request.resume_from = point.state;
        const Outcome end = run(code, {}, request);
        EXPECT_EQ(end.result.explored.ended, alone.result.explored.ended);
        if (reduction == StateReduction::Cartesian) continue;  // which states it meets depends on the order
        EXPECT_EQ(end.result.explored.statistics.states, alone.result.explored.statistics.states);
        EXPECT_EQ(end.result.explored.statistics.transitions, alone.result.explored.statistics.transitions);
        ++resumed;
      }
    }
  }
  EXPECT_GT(resumed, 10U);
}

TEST(Resume, StateThatDoesNotFitIsRefused) {
  const ToyCode code{{{write(0, 1), read(1)}, {write(1, 1), read(0)}}, {}};
  SearchRequest request;
  const Outcome whole = run(code, {}, request);
  ASSERT_FALSE(whole.kept.points.empty());
  const std::string state = whole.kept.points.front().state;
  for (const std::string& damaged :
       {state.substr(0, state.size() / 2), state.substr(0, state.size() - 1), state + "x", std::string(100, '\xff')}) {
    request.resume_from = damaged;
    EXPECT_EQ(run(code, {}, request).result.explored.ended, Ended::NotResumed);
  }
  // Another program: its first operation is another one.
  request.resume_from = state;
  const ToyCode other{{{read(2), read(1)}, {write(1, 1), read(0)}}, {}};
  EXPECT_EQ(run(other, {}, request).result.explored.ended, Ended::NotResumed);
}

TEST(Resume, StatesThatDoNotFitAreRefused) {
  const ToyCode code{{{write(0, 1), read(1)}, {write(1, 1), read(0)}}, {}};
  SearchRequest request;
  request.mode = SearchMode::States;
  request.states.store.max_memory = std::uint64_t{1} << 20U;
  const Outcome whole = run(code, {}, request);
  ASSERT_GT(whole.kept.points.size(), 2U);
  const std::string state = whole.kept.points.back().state;
  for (const std::string& damaged :
       {state.substr(0, state.size() / 2), state.substr(0, state.size() - 1), state + "x", std::string(100, '\xff')}) {
    request.resume_from = damaged;
    EXPECT_EQ(run(code, {}, request).result.explored.ended, Ended::NotResumed);
  }
  // A program with the same operations, whose states are others.
  request.resume_from = state;
  const ToyCode other{{{write(0, 2), read(1)}, {write(1, 1), read(0)}}, {}};
  EXPECT_EQ(run(other, {}, request).result.explored.ended, Ended::NotResumed);
}

Outcome run_portfolio(const ToyCode& code, const SearchRequest& request) {
  ToyProgram program(code, {});
  Outcome outcome;
  outcome.result = Portfolio(program, outcome.kept, request).run();
  return outcome;
}

constexpr std::chrono::hours kEnough{24};

// All schedules within the budget: it never comes to another stage.
TEST(ResumedPortfolio, ThatEndsInItsFirstStage) {
  const Thread thread{write(0, 1), read(1), write(1, 1)};
  const ToyCode code{{thread, thread, thread}, {}};
  SearchRequest request;
  request.explore.budget.max_time = kEnough;
  const Outcome whole = run_portfolio(code, request);
  ASSERT_GT(whole.kept.points.size(), 10U);
  for (std::size_t i = 0; i < whole.kept.points.size(); i += whole.kept.points.size() / 7) {
    request.resume_from = whole.kept.points[i].state;
    expect_same_end(run_portfolio(code, request), whole.kept.points[i], whole);
  }
}

// The first point of a stage.
std::optional<Keeper::Point> first_in(SearchMode mode, const ToyCode& code, SearchRequest request,
                                      const std::vector<Keeper::Point>& points) {
  request.explore.budget = {.max_executions = 1, .max_time = kEnough};
  for (const Keeper::Point& point : points) {
    request.resume_from = point.state;
    if (run_portfolio(code, request).result.mode == mode) return point;
  }
  return std::nullopt;
}

// 16! / (4!)^4 schedules are too many for a few milliseconds; each of the next stages has at least one execution.
// Resumed with time enough and a number of executions to end with, a stage comes to what it comes to alone.
TEST(ResumedPortfolio, InLaterStages) {
  const Thread thread{write(0, 1), write(0, 2), write(0, 3), write(0, 4)};
  const ToyCode code{{thread, thread, thread, thread}, {}};
  SearchRequest request;
  request.explore.budget.max_time = std::chrono::milliseconds(10);
  const Outcome cut = run_portfolio(code, request);
  EXPECT_EQ(cut.result.mode, SearchMode::Sample);
  for (const SearchMode mode : {SearchMode::Bound, SearchMode::Sample}) {
    const std::optional<Keeper::Point> point = first_in(mode, code, request, cut.kept.points);
    ASSERT_TRUE(point);
    request.explore.budget = {.max_executions = 300, .max_time = kEnough};
    request.resume_from = point->state;
    const Outcome resumed = run_portfolio(code, request);
    SearchRequest alone = request;
    alone.mode = mode;
    alone.bound.bounds = {0, kNoBound};
    alone.sample.kind = SampleKind::Pct;
    alone.resume_from.clear();
    const Outcome expected = run(code, {}, alone);
    EXPECT_EQ(resumed.result.mode, mode);
    EXPECT_EQ(resumed.result.explored.ended, Ended::Executions);
    EXPECT_GT(resumed.result.explored.statistics.executions, 300U);  // with those of earlier stages
    if (mode == SearchMode::Bound) {
      EXPECT_EQ(bounds(resumed), bounds(expected));
    } else {
      EXPECT_EQ(bounds(resumed), bounds(cut));  // of the stage before
      EXPECT_EQ(resumed.result.sample->runs, expected.result.sample->runs);
      EXPECT_EQ(resumed.result.sample->decisions, expected.result.sample->decisions);
    }
  }
}

TEST(ResumedPortfolio, StateThatDoesNotFitIsRefused) {
  const ToyCode code{{{write(0, 1), read(1)}, {write(1, 1), read(0)}}, {}};
  SearchRequest request;
  request.explore.budget.max_time = kEnough;
  const std::string state = run_portfolio(code, request).kept.points.at(0).state;
  for (const std::string& damaged : {state.substr(0, 20), state.substr(0, state.size() - 1), state + "x"}) {
    request.resume_from = damaged;
    EXPECT_EQ(run_portfolio(code, request).result.explored.ended, Ended::NotResumed);
  }
}

}  // namespace
}  // namespace heddle::differential
