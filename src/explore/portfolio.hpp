// A portfolio: spends a time budget where it is likely to do most.
//
//   1. All schedules, up to equivalence. After a fifth of the budget the search goes on if its estimate says that it
//      will end within the budget, and is given up otherwise.
//   2. Bounds on preemptions, 0, 1, 2 ..., for most of what is left.
//   3. A sample (PCT) for the rest.
//
// The first of them that comes to its end gives the answer. Resumed, it has the time that was left; what a stage that
// runs out of time comes to differs from run to run in any case.
#pragma once

#include <chrono>

#include "explore/search_run.hpp"

namespace heddle {

class Portfolio final : private Listener {
 public:
  // The request's budget of time is what there is to spend; what was spent before it was resumed included.
  Portfolio(Program& program, Listener& listener, const SearchRequest& request);

  SearchResult run();
  void interrupt() noexcept;
  [[nodiscard]] std::optional<Estimate> estimate(std::uint64_t executions_so_far) const;

 private:
  using Clock = std::chrono::steady_clock;

  // What earlier stages came to.
  struct Earlier {
    Statistics statistics;
    std::vector<BoundReport> bounds;
    std::optional<Estimate> estimate;
  };

  void execution_ended(const Statistics& so_far) override;
  void found(const Finding& finding, std::span<const PlannedChoice> schedule) override;
  [[nodiscard]] bool wants_checkpoint() override { return listener_.wants_checkpoint(); }
  void checkpoint(std::string_view state) override;

  SearchResult run_stage();
  // Whether the stage that came to this leaves the answer to another one.
  [[nodiscard]] bool goes_on_after(const SearchResult& result) const;
  void begin_next_stage(const SearchResult& result);
  void archive(Archive& archive);
  [[nodiscard]] std::chrono::nanoseconds spent() const { return spent_before_ + (Clock::now() - start_); }
  [[nodiscard]] std::chrono::nanoseconds stage_end() const;
  [[nodiscard]] bool will_end_in_time(std::uint64_t executions) const;

  Program& program_;
  Listener& listener_;
  SearchRequest request_;
  std::chrono::nanoseconds budget_;
  std::chrono::nanoseconds spent_before_{};  // it was resumed
  Clock::time_point start_;
  SearchMode mode_ = SearchMode::Reduction;  // of the stage
  std::chrono::nanoseconds stage_began_{};   // when so much was spent
  Earlier earlier_;
  std::optional<SearchRun> stage_;
  bool decided_ = false;      // whether to go on with all schedules
  bool given_up_ = false;     // on all schedules
  bool interrupted_ = false;  // from outside
  std::vector<std::uint64_t> reported_;
};

}  // namespace heddle
