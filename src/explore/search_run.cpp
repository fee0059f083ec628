#include "explore/search_run.hpp"

#include <algorithm>
#include <chrono>

#include "explore/bounded/bounded_dfs.hpp"
#include "explore/self_check.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t kEstimateSeed = 1;

}  // namespace

SearchResult SearchRun::run() {
  const auto began = std::chrono::steady_clock::now();
  const auto time = request_.explore.budget.max_time;
  for (;;) {
    SearchResult result = run_once();
    if (result.explored.ended != Ended::Revised) return result;
    request_.resume_from.clear();
    program_.restart();
    if (time) {
      request_.explore.budget.max_time = std::max<std::chrono::nanoseconds>(
          *time - (std::chrono::steady_clock::now() - began), std::chrono::milliseconds(1));
    }
  }
}

SearchResult SearchRun::run_once() {
  switch (request_.mode) {
    case SearchMode::Reduction: return run_reduction();
    case SearchMode::Bound: return run_bound();
    case SearchMode::Sample: return run_sample();
    case SearchMode::States: return run_states();
    case SearchMode::Portfolio: break;  // made of the others
  }
  return {};
}

void SearchRun::interrupt() noexcept {
  if (engine_ != nullptr) engine_->interrupt();
  if (state_search_ != nullptr) state_search_->interrupt();
}

SearchResult SearchRun::explore(Reduction& reduction) {
  Engine engine(program_, reduction, listener_, request_.explore);
  engine_ = &engine;
  SearchResult result;
  result.mode = request_.mode;
  result.explored = engine.explore(request_.resume_from);
  result.schedule = engine.schedule();
  engine_ = nullptr;
  return result;
}

SearchResult SearchRun::run_reduction() {
  const std::unique_ptr<Reduction> chosen = make_reduction(request_.reduction, request_.self_check);
  SelfCheck checked(*chosen, request_.reduction);
  estimator_.emplace(program_, kEstimateSeed, request_.explore.budget.max_steps,
                     request_.reduction.kind == ReductionKind::None);
  Estimating estimating(request_.self_check ? checked : *chosen, *estimator_, request_.estimate);
  SearchResult result = explore(estimating);
  result.estimate = estimate(result.explored.statistics.executions);
  if (request_.self_check) result.partial_orders = checked.partial_orders();
  return result;
}

std::optional<Estimate> SearchRun::estimate(std::uint64_t executions_so_far) const {
  return estimator_ ? estimator_->estimate(executions_so_far) : std::nullopt;
}

SearchResult SearchRun::run_bound() {
  const std::unique_ptr<Reduction> reduction =
      make_bounded(request_.bound, request_.reduction.order, request_.self_check);
  SelfCheck checked(*reduction, {ReductionKind::None, request_.reduction.order, {}});
  const bool plain_checked = request_.self_check && request_.bound.kind == BoundKind::Plain;
  SearchResult result = explore(plain_checked ? checked : *reduction);
  if (plain_checked) result.partial_orders = checked.partial_orders();
  if (const auto* search = dynamic_cast<const HbSearch*>(reduction.get())) {
    result.bounds = search->reports();
    result.everything = search->everything();
  } else if (const auto* plain = dynamic_cast<const BoundedDfs*>(reduction.get())) {
    const Statistics& statistics = result.explored.statistics;
    const bool complete = result.explored.ended == Ended::Complete;
    result.bounds = {{.bound = request_.bound.bounds.last,
                      .executions = statistics.executions + statistics.abandoned,
                      .blocked = 0,
                      .states = 0,
                      .complete = complete}};
    result.everything = complete && !plain->left_out();
  }
  result.explored.statistics.states = result.bounds.back().states;
  return result;
}

SearchResult SearchRun::run_sample() {
  const std::unique_ptr<Sampler> sampler = make_sampler(request_.sample);
  SearchResult result = explore(*sampler);
  result.sample = sampler->report();
  return result;
}

SearchResult SearchRun::run_states() {
  const bool is_static = request_.reduction.kind == ReductionKind::Static;
  // A search with static sets that is resumed may have come to its second part.
  const std::string& from = request_.resume_from;
  if (!is_static || from.empty() || StateSearch::had_sets(from)) {
    SearchResult result = run_states(is_static ? request_.reduction.known : nullptr);
    if (!result.states->static_in_vain) return result;
    request_.resume_from.clear();
  }
  SearchResult result = run_states(nullptr);
  result.states->static_in_vain = true;
  return result;
}

SearchResult SearchRun::run_states(const StaticKnowledge* known) {
  const StatesChoice& choice = request_.states;
  StateSearch search(program_, listener_,
                     {request_.explore, choice.reduction, request_.reduction.order, choice.store, choice.jobs,
                      request_.self_check, known},
                     processes_);
  state_search_ = &search;
  SearchResult result;
  result.mode = request_.mode;
  result.explored = search.explore(request_.resume_from);
  result.schedule = search.schedule();
  const bool in_vain = known != nullptr && result.explored.ended == Ended::Complete && search.went_round();
  result.states = {search.store_bytes(), in_vain};
  state_search_ = nullptr;
  return result;
}

}  // namespace heddle
