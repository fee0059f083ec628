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
#include "explore/stateful/state_search.hpp"

namespace heddle {

enum class SearchMode : std::uint8_t {
  Reduction,  // all schedules, up to equivalence
  Bound,      // those with few preemptions
  Sample,     // some
  Portfolio,  // whatever the time budget allows: see portfolio.hpp
  States,     // all states instead of all executions
};

// Of a search over states.
struct StatesChoice {
  StateReduction reduction = StateReduction::Sleep;
  StateStore::Options store;
  unsigned jobs = 1;
};

struct StatesReport {
  std::uint64_t store_bytes = 0;
  bool static_in_vain = false;  // the states form a cycle, so that it was run again without static sets
};

struct SearchRequest {
  SearchMode mode = SearchMode::Reduction;
  ReductionChoice reduction;
  BoundChoice bound;
  SampleChoice sample;
  StatesChoice states;
  bool self_check = false;
  EstimatePlan estimate;
  ExploreOptions explore;
  std::string resume_from;  // a state that the listener was given as a checkpoint; empty: begin at the beginning
};

struct SearchResult {
  ExploreResult explored;
  SearchMode mode = SearchMode::Reduction;
  // Of a bounded search: each bound that was begun, and whether the last one left nothing out at all.
  std::vector<BoundReport> bounds;
  bool everything = false;
  std::optional<SampleReport> sample;
  std::optional<StatesReport> states;
  std::optional<std::uint64_t> partial_orders;  // different ones among the executions; if the search checks itself
  std::optional<Estimate> estimate;
  std::vector<PlannedChoice> schedule;  // of the last execution
};

class SearchRun {
 public:
  // `processes`: for a search over states, which may want several.
  SearchRun(Program& program, Listener& listener, SearchRequest request,
            const Processes& processes = ordinary_processes())
      : program_(program), listener_(listener), request_(std::move(request)), processes_(processes) {}

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
  SearchResult run_states();
  SearchResult run_states(const StaticKnowledge* known);
  SearchResult explore(Reduction& reduction);

  Program& program_;
  Listener& listener_;
  SearchRequest request_;
  const Processes& processes_;
  Engine* engine_ = nullptr;             // while it runs
  StateSearch* state_search_ = nullptr;  // likewise
  std::optional<Estimator> estimator_;
};

}  // namespace heddle
