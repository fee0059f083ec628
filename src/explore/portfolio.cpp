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
    : program_(program), listener_(listener), request_(request), budget_(*request.explore.budget.max_time) {
  request_.reduction = {.kind = ReductionKind::Optimal, .order = request.reduction.order, .persistent = {}};
  request_.bound.bounds = {0, kNoBound};
  request_.sample.kind = SampleKind::Pct;
  request_.sample.runs = std::numeric_limits<std::uint64_t>::max();
}

SearchResult Portfolio::run() {
  start_ = Clock::now();
  if (!request_.resume_from.empty()) {
    Archive read(request_.resume_from);
    archive(read);
    request_.resume_from = std::string(read.left());
    if (!read.sound() || request_.resume_from.empty()) {
      SearchResult refused;
      refused.explored.ended = Ended::NotResumed;
      return refused;
    }
  }
  for (;;) {
    const SearchResult result = run_stage();
    if (!goes_on_after(result)) return result;
    begin_next_stage(result);
  }
}

// When so much is spent. The bounds get three quarters of what all schedules left.
std::chrono::nanoseconds Portfolio::stage_end() const {
  return mode_ == SearchMode::Bound ? stage_began_ + (budget_ - stage_began_) * 3 / 4 : budget_;
}

SearchResult Portfolio::run_stage() {
  SearchRequest request = request_;
  request.mode = mode_;
  request.explore.budget.max_time =
      std::max<std::chrono::nanoseconds>(stage_end() - spent(), std::chrono::milliseconds(1));
  stage_.emplace(program_, static_cast<Listener&>(*this), request);
  SearchResult result = stage_->run();
  add(result.explored.statistics, earlier_.statistics);
  if (mode_ != SearchMode::Reduction) result.estimate = earlier_.estimate;
  if (mode_ == SearchMode::Sample) result.bounds = earlier_.bounds;
  return result;
}

bool Portfolio::goes_on_after(const SearchResult& result) const {
  const Ended ended = result.explored.ended;
  if (interrupted_ || mode_ == SearchMode::Sample) return false;
  if (mode_ == SearchMode::Reduction) return given_up_ && ended == Ended::Interrupted;
  return ended == Ended::Time || ended == Ended::States;
}

void Portfolio::begin_next_stage(const SearchResult& result) {
  earlier_ = {result.explored.statistics, result.bounds, result.estimate};
  mode_ = mode_ == SearchMode::Reduction ? SearchMode::Bound : SearchMode::Sample;
  stage_began_ = spent();
  request_.resume_from.clear();
}

// Without the stage's own state, which follows.
void Portfolio::archive(Archive& archive) {
  std::chrono::nanoseconds spent_so_far = spent();
  archive(spent_so_far);
  if (archive.reading()) spent_before_ = spent_so_far;
  archive(mode_);
  archive(stage_began_);
  archive(earlier_.statistics);
  archive(earlier_.bounds);
  archive(earlier_.estimate);
  archive(decided_);
  archive(reported_);
}

void Portfolio::checkpoint(std::string_view state) {
  // A stage that is being given up is not where the search stands.
  if (mode_ == SearchMode::Reduction && given_up_) return;
  Archive written;
  archive(written);
  listener_.checkpoint(written.written() + std::string(state));
}

void Portfolio::execution_ended(const Statistics& so_far) {
  Statistics all = so_far;
  add(all, earlier_.statistics);
  listener_.execution_ended(all);
  if (decided_ || spent() < budget_ / 5) return;
  decided_ = true;
  if (will_end_in_time(so_far.executions)) return;
  given_up_ = true;
  stage_->interrupt();
}

bool Portfolio::will_end_in_time(std::uint64_t executions) const {
  const std::optional<Estimate> estimate = stage_->estimate(executions);
  if (!estimate || executions == 0) return false;
  const double share = static_cast<double>(executions) / estimate->executions;
  const auto so_far = std::chrono::duration<double>(spent()).count();
  return so_far / share <= std::chrono::duration<double>(budget_).count();
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
