// Sleep sets alone (Godefroid): depth-first over all choices, leaving out those that are asleep.
//
// After a choice has been explored from a state it goes to sleep there: what follows the remaining choices must not
// begin with it again, unless something dependent happens first. Every maximal trace is run exactly once; the price is
// the executions that run into a state where everything enabled is asleep (algorithms.md 4). With static sets, only the
// threads of a persistent set are tried from a state, and it suffices that these are asleep (static_sets.hpp).
#pragma once

#include <memory>

#include "explore/engine.hpp"
#include "explore/stateless/frames.hpp"
#include "explore/static_sets.hpp"

namespace heddle {

class SleepReduction final : public Reduction {
 public:
  explicit SleepReduction(ThreadOrder order = ThreadOrder::Lowest, std::unique_ptr<StaticSets> sets = nullptr)
      : frames_(order), sets_(std::move(sets)) {}

  MaybeChoice first_choice(const Program& program) override;
  [[nodiscard]] bool calculates() const override { return false; }
  void performed(const Program& program, const Event& event) override;
  std::optional<Branch> backtrack(Prober& prober) override;
  bool archive(Archive& archive) override;

 private:
  Frames frames_;
  std::vector<Event> events_;
  std::unique_ptr<StaticSets> sets_;
};

}  // namespace heddle
