// No reduction: depth-first over all choices.
//
// Every state on the current execution has a frame with the threads enabled there and the choice being explored. A
// first visit takes the first choice in the order of thread numbers; backtracking takes the next one of the deepest
// frame that has one left. Every interleaving of visible operations, combined with every outcome, is run exactly once.
// With static sets, only the threads of a persistent set are tried from a state (static_sets.hpp).
#pragma once

#include <memory>
#include <vector>

#include "explore/engine.hpp"
#include "explore/stateless/thread_order.hpp"
#include "explore/static_sets.hpp"

namespace heddle {

class NoReduction final : public Reduction {
 public:
  explicit NoReduction(ThreadOrder order = ThreadOrder::Lowest, std::unique_ptr<StaticSets> sets = nullptr)
      : order_(order), sets_(std::move(sets)) {}

  MaybeChoice first_choice(const Program& program) override;
  [[nodiscard]] bool calculates() const override { return false; }
  void performed(const Program& program, const Event& event) override;
  std::optional<Branch> backtrack(Prober& prober) override;
  bool archive(Archive& archive) override;

 private:
  // Threads still to be tried at a state, each with its outcomes; the front one is being explored.
  struct Alternative {
    ThreadId thread;
    Outcome next;  // outcome to explore next, when it comes back here
    Outcome end;
  };
  // The alternatives of all frames stand one after another in one vector, each frame's in reverse order of exploration:
  // a frame is where its part begins.
  std::vector<Alternative> alternatives_;
  std::vector<std::size_t> frames_;
  ThreadOrder order_;
  std::unique_ptr<StaticSets> sets_;
};

}  // namespace heddle
