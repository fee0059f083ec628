#include "explore/self_check.hpp"

#include "base/contract.hpp"
#include "model/dependency.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
  h = (h ^ value) * 0x9E3779B97F4A7C15U;
  return h ^ (h >> 29U);
}

// Happens-before by its definition, as bits: before[k] has i iff event i happens before event k or is it.
void check_clocks(const Execution& execution) {
  const std::size_t n = execution.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  for (std::size_t k = 0; k < n; ++k) {
    before[k][k] = true;
    for (std::size_t i = k; i-- > 0;) {
      if (before[k][i] || !dependent(execution[i], execution[k])) continue;
      for (std::size_t j = 0; j <= i; ++j) before[k][j] = before[k][j] || before[i][j];
    }
    for (std::size_t i = 0; i < k; ++i) {
      HEDDLE_REQUIRE(execution.happens_before(i, k) == before[k][i], "a vector clock contradicts happens-before");
    }
  }
}

// The last event of another thread that depends on event i is what an answer turns on.
void check_dependents(const Execution& execution, std::size_t i) {
  const Event& event = execution[i];
  const Execution::Place place = execution.place(i);
  const auto others = [&](std::size_t k) { return execution[k].thread != event.thread; };
  std::size_t behind = execution.size();
  while (behind > 0 && !(others(behind - 1) && dependent(event, execution[behind - 1]))) --behind;
  HEDDLE_REQUIRE(!execution.any_dependent(event, place, behind, others), "something is taken to depend on an event");
  if (behind == 0) return;
  HEDDLE_REQUIRE(execution.any_dependent(event, place, behind - 1, others), "what depends on an event is not seen");
  HEDDLE_REQUIRE(!execution.untouched_from(behind - 1, event.thread, place), "what touches a place is not seen");
}

}  // namespace

void check_against_definitions(const Execution& execution) {
  check_clocks(execution);
  for (std::size_t i = 0; i < execution.size(); ++i) check_dependents(execution, i);
}

MaybeChoice SelfCheck::first_choice(const Program& program) {
  const MaybeChoice choice = inner_.first_choice(program);
  HEDDLE_REQUIRE(choice || choice_.kind != ReductionKind::Optimal, "the optimal search was blocked");
  return choice;
}

void SelfCheck::performed(const Program& program, const Event& event) {
  execution_.push(event);
  inner_.performed(program, event);
}

bool SelfCheck::joins_next(const Event& event, const Operation& join) {
  if (!inner_.joins_next(event, join)) return false;
  execution_.push(event);
  return true;
}

void SelfCheck::ended(const Program& program, bool cut) {
  check_against_definitions(execution_);
  if (cut || program.enabled().empty()) {
    const bool fresh = traces_.insert(trace_hash()).second;
    HEDDLE_REQUIRE(fresh || !runs_each_trace_once(choice_), "two equivalent executions were explored");
  }
  inner_.ended(program, cut);
}

std::optional<Reduction::Branch> SelfCheck::backtrack(Prober& prober) {
  const std::optional<Branch> branch = inner_.backtrack(prober);
  if (branch) execution_.truncate(branch->depth);
  return branch;
}

std::pair<std::uint64_t, std::uint64_t> SelfCheck::trace_hash() const {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  for (std::size_t i = 0; i < execution_.size(); ++i) {
    const Event& event = execution_[i];
    std::uint64_t h = mix(event.thread.value + std::uint64_t{1}, event.outcome);
    // Threads that are not known count for nothing: the clocks of other executions may be shorter.
    for (std::size_t t = 0; t < execution_.clock(i).size(); ++t) {
      if (execution_.clock(i)[t] != 0) h = mix(h, (std::uint64_t{execution_.clock(i)[t]} << 16U) + t);
    }
    first += h;
    second += mix(h, 0xA0761D6478BD642FU);
  }
  return {first, second};
}

bool SelfCheck::archive(Archive& archive) {
  execution_.archive(archive);
  std::vector<std::uint64_t> hashes;
  for (const auto& [first, second] : traces_) hashes.insert(hashes.end(), {first, second});
  archive(hashes);
  for (std::size_t i = 0; i + 1 < hashes.size(); i += 2) traces_.emplace(hashes[i], hashes[i + 1]);
  return inner_.archive(archive);
}

}  // namespace heddle
