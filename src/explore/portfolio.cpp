#include "explore/portfolio.hpp"

#include <algorithm>
#include <limits>

namespace heddle {
namespace {

// What earlier stages did is part of the answer.
void add(Statistics& sum, const Statistics& stage) {
  sum.executions += stage.executions;
  sum.blocked += stage.blocked;
  sum.abandoned += stage.abandoned;
  sum.events += stage.events;
  sum.replayed += stage.replayed;
  sum.failures += stage.failures;
  sum.max_depth = std::max(sum.max_depth, stage.max_depth);
  sum.threads = std::max(sum.threads, stage.threads);
  sum.states = std::max(sum.states, stage.states);
}

}  // namespace

Portfolio::Portfolio(Program& program, Listener& listener, const SearchRequest& request)
    : program_(program), listener_(listener), request_(request), budget_(*request.explore.budget.max_time) {}

std::chrono::nanoseconds Portfolio::left() const {
  return std::max<std::chrono::nanoseconds>(budget_ - (Clock::now() - start_), std::chrono::milliseconds(1));
}

SearchResult Portfolio::run() {
  start_ = Clock::now();
  request_.reduction = {.kind = ReductionKind::Optimal, .order = request_.reduction.order, .persistent = {}};
  request_.bound.bounds = {0, kNoBound};
  request_.sample.kind = SampleKind::Pct;
  request_.sample.runs = std::numeric_limits<std::uint64_t>::max();
  SearchResult all = run_stage(SearchMode::Reduction, budget_);
  if (!given_up_ || interrupted_ || all.explored.ended != Ended::Interrupted) return all;
  SearchResult bounded = run_stage(SearchMode::Bound, left() * 3 / 4);
  add(bounded.explored.statistics, all.explored.statistics);
  bounded.estimate = all.estimate;
  const Ended ended = bounded.explored.ended;
  if (interrupted_ || (ended != Ended::Time && ended != Ended::States)) return bounded;
  SearchResult sampled = run_stage(SearchMode::Sample, left());
  add(sampled.explored.statistics, bounded.explored.statistics);
  sampled.bounds = std::move(bounded.bounds);
  sampled.estimate = all.estimate;
  return sampled;
}

SearchResult Portfolio::run_stage(SearchMode mode, std::chrono::nanoseconds time) {
  SearchRequest request = request_;
  request.mode = mode;
  request.explore.budget.max_time = time;
  stage_.emplace(program_, static_cast<Listener&>(*this), request);
  return stage_->run();
}

void Portfolio::execution_ended(const Statistics& so_far) {
  listener_.execution_ended(so_far);
  if (decided_ || Clock::now() - start_ < budget_ / 5) return;
  decided_ = true;
  if (will_end_in_time(so_far.executions)) return;
  given_up_ = true;
  stage_->interrupt();
}

bool Portfolio::will_end_in_time(std::uint64_t executions) const {
  const std::optional<Estimate> estimate = stage_->estimate(executions);
  if (!estimate || executions == 0) return false;
  const double share = static_cast<double>(executions) / estimate->executions;
  const auto spent = std::chrono::duration<double>(Clock::now() - start_).count();
  return spent / share <= std::chrono::duration<double>(budget_).count();
}

void Portfolio::found(const Finding& finding, std::span<const PlannedChoice> schedule) {
  // Each stage meets what the one before has met.
  if (std::find(reported_.begin(), reported_.end(), finding.key) != reported_.end()) return;
  reported_.push_back(finding.key);
  listener_.found(finding, schedule);
}

void Portfolio::interrupt() noexcept {
  interrupted_ = true;
  if (stage_) stage_->interrupt();
}

std::optional<Estimate> Portfolio::estimate(std::uint64_t executions_so_far) const {
  return stage_ ? stage_->estimate(executions_so_far) : std::nullopt;
}

}  // namespace heddle
