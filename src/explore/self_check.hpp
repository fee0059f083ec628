// A decorator over any reduction that checks what the algorithms promise, on every execution: the clocks against the
// definition of happens-before, no two equivalent executions, nothing blocked in the optimal search. Slow: each
// execution costs the square of its length, and each leaves a few bytes behind.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "explore/engine.hpp"
#include "explore/reductions.hpp"
#include "model/execution.hpp"

namespace heddle {

// What an execution says about its events against dependent(): which happen before which, and whether something from
// some position on depends on one. Costs the square of its length.
void check_against_definitions(const Execution& execution);

class SelfCheck final : public Reduction {
 public:
  SelfCheck(Reduction& inner, const ReductionChoice& choice) : inner_(inner), choice_(choice) {}

  MaybeChoice first_choice(const Program& program) override;
  void performed(const Program& program, const Event& event) override;
  bool joins_next(const Event& event, const Operation& join) override;
  void ended(const Program& program, bool cut) override;
  std::optional<Branch> backtrack(Prober& prober) override;
  bool archive(Archive& archive) override;

  // Partial orders of the executions that ran to their end.
  [[nodiscard]] std::size_t partial_orders() const noexcept { return traces_.size(); }

 private:
  // Equal for equivalent executions, different for others but for a chance of about n^2 / 2^128.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> trace_hash() const;

  Reduction& inner_;
  ReductionChoice choice_;
  Execution execution_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> traces_;
};

}  // namespace heddle
