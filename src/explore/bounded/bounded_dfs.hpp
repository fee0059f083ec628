// Plain context-bounded search: depth-first over all choices, leaving out those that would make one preemption too many
// (the paper's cb-dfs). Every interleaving with at most so many preemptions is run exactly once; the baseline that the
// searches over happens-before states are compared with.
#pragma once

#include <vector>

#include "explore/engine.hpp"
#include "explore/stateless/thread_order.hpp"

namespace heddle {

class BoundedDfs final : public Reduction {
 public:
  explicit BoundedDfs(std::uint32_t bound, ThreadOrder order = ThreadOrder::Lowest) : bound_(bound), order_(order) {}

  MaybeChoice first_choice(const Program& program) override;
  void performed(const Program& program, const Event& event) override;
  std::optional<Branch> backtrack(Prober& prober) override;
  bool archive(Archive& archive) override;

  // Whether some choice was left out.
  [[nodiscard]] bool left_out() const noexcept { return left_out_; }

 private:
  // A choice still to be made in a state, and the preemptions of the execution with it.
  struct Alternative {
    Choice choice;
    std::uint32_t preemptions;
  };
  // The alternatives of all states stand one after another, each state's in reverse order of exploration; the last one
  // of a state is the one being explored.
  std::vector<Alternative> alternatives_;
  std::vector<std::size_t> frames_;  // where the alternatives of each state begin
  std::uint32_t bound_;
  ThreadOrder order_;
  bool left_out_ = false;
};

}  // namespace heddle
