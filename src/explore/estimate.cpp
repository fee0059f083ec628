#include "explore/estimate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/ticks.hpp"
#include "model/accesses.hpp"

namespace heddle {

namespace {

// What can run and has no step left that anybody knew of counts as having a little.
constexpr double kLittle = 0.3;

std::uint64_t object_of(const ObjectAccess& access) {
  return (access.key << 3U) ^ static_cast<std::uint64_t>(std::countr_zero(access.bytes));
}

Event pending_event(const ThreadState& state, ThreadId thread) {
  return {.op = state.pending, .announced = state.pending.kind, .thread = thread};
}

}  // namespace

Estimator::Estimator(Program& program, std::uint64_t seed, std::uint64_t max_steps, bool interleavings)
    : program_(program), random_(seed), max_steps_(max_steps), interleavings_(interleavings) {}

double Estimator::left(const Run& run, std::size_t thread) const {
  const double expected = thread < expected_.size() ? expected_[thread] : 0;
  return std::max(expected - static_cast<double>(run.taken[thread]), 0.0);
}

std::size_t Estimator::group(std::size_t thread) const {
  while (thread < groups_.size() && groups_[thread] != thread) thread = groups_[thread];
  return thread;
}

void Estimator::grow(Run& run) {
  run.taken.resize(program_.thread_count(), 0);
  run.last_shared.resize(program_.thread_count(), Execution::kNone);
  run.frontier.resize(program_.thread_count(), 0);
  while (groups_.size() < program_.thread_count()) groups_.push_back(groups_.size());
}

std::uint64_t Estimator::sample() {
  const bool pilot = runs_ < kPilot && !interleavings_;
  run_.execution.clear();
  run_.taken.clear();
  run_.last_shared.clear();
  run_.frontier.clear();
  run_.log_weight = 0;
  // An execution that was cut off, or that the back-end refused, has no end to be counted.
  if (run_once(run_, pilot)) ++runs_;
  return run_.execution.size();
}

bool Estimator::run_once(Run& run, bool pilot) {
  Objects touched;
  while (program_.phase() == ProgramPhase::Running && !program_.enabled().empty()) {
    if (run.execution.size() >= max_steps_) return false;
    grow(run);
    const std::optional<ThreadId> alone = pilot || interleavings_ ? std::nullopt : unshared_step();
    const ThreadId thread = alone ? *alone : choose(run);
    if (!perform(run, thread, !alone)) return false;
    if (pilot) note_objects(run.execution[run.execution.size() - 1], touched);
  }
  if (program_.phase() == ProgramPhase::Refused) return false;
  if (!pilot) {
    log_weights_.push_back(run.log_weight);
    return true;
  }
  learn(run, touched);
  return true;
}

bool Estimator::perform(Run& run, ThreadId thread, bool shared) {
  const Outcomes outcomes = program_.thread(thread).outcomes;
  const Outcome outcome = outcomes.first + static_cast<Outcome>(random_.below(outcomes.count));
  run.log_weight += std::log(static_cast<double>(outcomes.count));
  const Event event = program_.step({thread, outcome});
  if (program_.phase() == ProgramPhase::Refused) return false;
  grow(run);
  run.execution.push(event);
  if (!shared) return true;
  ++run.taken[thread.value];
  const std::size_t here = run.execution.size() - 1;
  for (std::size_t t = 0; t < run.frontier.size(); ++t) {
    if (run.frontier[t] != 0 && run.execution.happens_before(run.last_shared[t], here)) run.frontier[t] = 0;
  }
  run.last_shared[thread.value] = static_cast<Execution::Position>(here);
  run.frontier[thread.value] = 1;
  if (!interleavings_) weigh_back(run, thread);
  return true;
}

// An object by its first byte: words of memory hold several.
void Estimator::note_objects(const Event& event, Objects& touched) {
  visit_accesses(event, [&](const ObjectAccess& access) {
    Touched& by = touched[object_of(access)];
    by.changed = by.changed || !detail::only_reads(access.mode);
    if (std::find(by.threads.begin(), by.threads.end(), event.thread) == by.threads.end()) {
      by.threads.push_back(event.thread);
    }
  });
}

// Which objects are shared, who shares them, and how many steps each thread takes that touch one.
void Estimator::learn(const Run& run, const Objects& touched) {
  for (const auto& [object, by] : touched) {
    if (by.threads.size() < 2 || !by.changed) continue;
    shared_.insert(object);
    for (const ThreadId thread : by.threads) groups_[group(thread.value)] = group(by.threads.front().value);
  }
  // An attempt to join is shared with every step of the thread that it may come too early for.
  for (std::size_t i = 0; i < run.execution.size(); ++i) {
    const Event& event = run.execution[i];
    if (!may_give_up_joining(event)) continue;
    const ThreadId joined{static_cast<std::uint16_t>(event.op.second)};
    shared_.insert(steps_of(joined));
    groups_[group(event.thread.value)] = group(joined.value);
  }
  expected_.resize(std::max(expected_.size(), run.taken.size()), 0);
  for (std::size_t i = 0; i < run.execution.size(); ++i) {
    if (is_shared(run.execution[i])) expected_[run.execution[i].thread.value] += 1.0 / static_cast<double>(kPilot);
  }
}

bool Estimator::is_shared(const Event& event) const {
  // What may wake others, or depends on who did, is decided by more than its objects.
  bool shared =
      shared_.contains(steps_of(event.thread)) || is_total(event) || traits(event.op.kind).wakes || event.op.timed;
  visit_accesses(event, [&](const ObjectAccess& access) { shared = shared || shared_.contains(object_of(access)); });
  return shared;
}

std::optional<ThreadId> Estimator::unshared_step() const {
  const ThreadSet& enabled = program_.enabled();
  for (auto thread = enabled.first(); thread; thread = enabled.after(*thread)) {
    if (!is_shared(pending_event(program_.thread(*thread), *thread))) return thread;
  }
  return std::nullopt;
}

// A group in proportion to the steps it has left; of its threads that can run, see above.
ThreadId Estimator::choose(Run& run) {
  const ThreadSet& enabled = program_.enabled();
  shares_.clear();
  group_left_.assign(run.taken.size(), 0);
  group_sum_.assign(run.taken.size(), 0);
  for (std::size_t t = 0; t < run.taken.size(); ++t) group_left_[group(t)] += left(run, t);
  for (auto t = enabled.first(); t; t = enabled.after(*t)) {
    const double share = interleavings_ ? 1 : std::max(left(run, t->value), kLittle) * foreseen_back(run, *t);
    shares_.emplace_back(*t, share);
    group_sum_[group(t->value)] += share;
  }
  double sum = 0;
  for (std::size_t name = 0; name < group_sum_.size(); ++name) {
    if (group_sum_[name] > 0) sum += group_left_[name] = std::max(group_left_[name], kLittle);
  }
  for (auto& [t, share] : shares_) {
    const std::size_t name = group(t.value);
    share =
        interleavings_ ? 1 / static_cast<double>(shares_.size()) : group_left_[name] / sum * share / group_sum_[name];
  }
  double drawn = static_cast<double>(random_.next() >> 11U) * 0x1p-53;
  std::size_t chosen = 0;
  while (chosen + 1 < shares_.size() && (drawn -= shares_[chosen].second) >= 0) ++chosen;
  run.log_weight -= std::log(shares_[chosen].second);
  return shares_[chosen].first;
}

// With what probability a walk back would undo a step of this thread, within its group: one in the size of the frontier
// after it, from which the step takes what it follows.
double Estimator::foreseen_back(const Run& run, ThreadId thread) {
  met_.clear();
  before_.clear();
  run.execution.meet(pending_event(program_.thread(thread), thread), met_);
  for (const Execution::Access& access : met_) {
    if (access.object != Execution::kNone) run.execution.conflicts(access.frontier, access, before_);
  }
  if (const auto previous = run.execution.last(thread); previous != Execution::kNone) before_.push_back(previous);
  known_.assign(run.execution.clock_length(), 0);
  for (const Execution::Position position : before_) {
    join_ticks(known_.data(), run.execution.clock(position).data(), known_.size());
  }
  double size = 1;
  for (std::size_t t = 0; t < run.frontier.size(); ++t) {
    if (t == thread.value || run.frontier[t] == 0 || group(t) != group(thread.value)) continue;
    const Execution::Step last = run.execution.step(run.last_shared[t]);
    if (known_[last.thread.value] < last.index) size += 1;
  }
  return 1 / size;
}

// A group in proportion to the steps it has taken, one of its threads in the frontier with equal chances.
void Estimator::weigh_back(Run& run, ThreadId thread) {
  group_left_.assign(run.taken.size(), 0);  // what would be left for a walk back: the steps taken
  group_sum_.assign(run.taken.size(), 0);   // threads in the frontier
  for (std::size_t t = 0; t < run.taken.size(); ++t) {
    group_left_[group(t)] += run.taken[t];
    group_sum_[group(t)] += run.frontier[t];
  }
  double sum = 0;
  for (std::size_t name = 0; name < group_sum_.size(); ++name) {
    if (group_sum_[name] > 0) sum += group_left_[name];
  }
  const std::size_t own = group(thread.value);
  run.log_weight += std::log(group_left_[own] / sum / group_sum_[own]);
}

void Estimator::archive(Archive& archive) {
  archive(random_);
  archive(runs_);
  std::vector<std::uint64_t> shared(shared_.begin(), shared_.end());
  archive(shared);
  shared_ = {shared.begin(), shared.end()};
  archive(groups_);
  archive(expected_);
  archive(log_weights_);
}

std::optional<Estimate> Estimator::estimate(std::uint64_t executions_so_far) const {
  if (log_weights_.size() < 2) return std::nullopt;
  // Relative to the largest, so that nothing overflows.
  const double largest = *std::max_element(log_weights_.begin(), log_weights_.end());
  double sum = 0;
  double squares = 0;
  for (const double log_weight : log_weights_) {
    const double weight = std::exp(log_weight - largest);
    sum += weight;
    squares += weight * weight;
  }
  const auto count = static_cast<double>(log_weights_.size());
  const double variance = std::max(0.0, squares / count - sum / count * sum / count) / (count - 1);
  Estimate estimate;
  estimate.samples = log_weights_.size();
  estimate.executions = std::exp(largest + std::log(sum / count));
  estimate.relative_error = std::sqrt(variance) / (sum / count);
  estimate.effective = sum * sum / squares;
  estimate.executions = std::max(estimate.executions, static_cast<double>(executions_so_far));
  return estimate;
}

}  // namespace heddle
