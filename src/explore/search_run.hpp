// A search as it was asked for: builds what it takes, runs it, and says what came of it. The one place that knows all
// ways to search.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/engine.hpp"
#include "explore/estimating.hpp"
#include "explore/reductions.hpp"
#include "explore/sample/sampler.hpp"

namespace heddle {

enum class SearchMode : std::uint8_t {
  Reduction,  // all schedules, up to equivalence
  Bound,      // those with few preemptions
  Sample,     // some
  Portfolio,  // whatever the time budget allows: see portfolio.hpp
};

struct SearchRequest {
  SearchMode mode = SearchMode::Reduction;
  ReductionChoice reduction;
  BoundChoice bound;
  SampleChoice sample;
  bool self_check = false;
  EstimatePlan estimate;
  ExploreOptions explore;
  std::string resume_from;  // a state that the listener was given as a checkpoint; empty: begin at the beginning
};

// Whether such a search can write down where it stands.
[[nodiscard]] bool can_be_resumed(const SearchRequest& request);

struct SearchResult {
  ExploreResult explored;
  SearchMode mode = SearchMode::Reduction;
  // Of a bounded search: each bound that was begun, and whether the last one left nothing out at all.
  std::vector<BoundReport> bounds;
  bool everything = false;
  std::optional<SampleReport> sample;
  std::optional<std::uint64_t> partial_orders;  // different ones among the executions; if the search checks itself
  std::optional<Estimate> estimate;
  std::vector<PlannedChoice> schedule;  // of the last execution
};

class SearchRun {
 public:
  SearchRun(Program& program, Listener& listener, SearchRequest request)
      : program_(program), listener_(listener), request_(std::move(request)) {}

  SearchResult run();
  // Ends it at the next execution.
  void interrupt() noexcept;
  // Of the executions that the search will need; nothing if there is none (yet).
  [[nodiscard]] std::optional<Estimate> estimate(std::uint64_t executions_so_far) const;

 private:
  SearchResult run_once();
  SearchResult run_reduction();
  SearchResult run_bound();
  SearchResult run_sample();
  SearchResult explore(Reduction& reduction);

  Program& program_;
  Listener& listener_;
  SearchRequest request_;
  Engine* engine_ = nullptr;  // while it runs
  std::optional<Estimator> estimator_;
};

}  // namespace heddle
