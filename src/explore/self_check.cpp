#include "explore/self_check.hpp"

#include "base/contract.hpp"
#include "model/dependency.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
  h = (h ^ value) * 0x9E3779B97F4A7C15U;
  return h ^ (h >> 29U);
}

}  // namespace

std::optional<Choice> SelfCheck::first_choice(const Program& program) {
  const std::optional<Choice> choice = inner_.first_choice(program);
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
  check_clocks();
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

// Happens-before by its definition, as bits: before[k] has i iff event i happens before event k or is it.
void SelfCheck::check_clocks() const {
  const std::size_t n = execution_.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  for (std::size_t k = 0; k < n; ++k) {
    before[k][k] = true;
    for (std::size_t i = k; i-- > 0;) {
      if (before[k][i] || !dependent(execution_[i], execution_[k])) continue;
      for (std::size_t j = 0; j <= i; ++j) before[k][j] = before[k][j] || before[i][j];
    }
    for (std::size_t i = 0; i < k; ++i) {
      HEDDLE_REQUIRE(execution_.happens_before(i, k) == before[k][i], "a vector clock contradicts happens-before");
    }
  }
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
