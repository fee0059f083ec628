// A portfolio: spends a time budget where it is likely to do most.
//
//   1. All schedules, up to equivalence. After a fifth of the budget the search goes on if its estimate says that it
//   will
//      end within the budget, and is given up otherwise.
//   2. Bounds on preemptions, 0, 1, 2 ..., for most of what is left.
//   3. A sample (PCT) for the rest.
//
// The first of them that comes to its end gives the answer.
#pragma once

#include <chrono>

#include "explore/search_run.hpp"

namespace heddle {

class Portfolio final : private Listener {
 public:
  // The request's budget of time is what there is to spend.
  Portfolio(Program& program, Listener& listener, const SearchRequest& request);

  SearchResult run();
  void interrupt() noexcept;
  [[nodiscard]] std::optional<Estimate> estimate(std::uint64_t executions_so_far) const;

 private:
  using Clock = std::chrono::steady_clock;

  void execution_ended(const Statistics& so_far) override;
  void found(const Finding& finding, std::span<const PlannedChoice> schedule) override;

  SearchResult run_stage(SearchMode mode, std::chrono::nanoseconds time);
  [[nodiscard]] std::chrono::nanoseconds left() const;
  [[nodiscard]] bool will_end_in_time(std::uint64_t executions) const;

  Program& program_;
  Listener& listener_;
  SearchRequest request_;
  std::chrono::nanoseconds budget_;
  Clock::time_point start_;
  std::optional<SearchRun> stage_;
  bool decided_ = false;      // whether to go on with all schedules
  bool given_up_ = false;     // on all schedules
  bool interrupted_ = false;  // from outside
  std::vector<std::uint64_t> reported_;
};

}  // namespace heddle
