// A decorator over any reduction that keeps an estimate beside the search: after an execution of the search, it draws
// one or more of its own.
//
// Drawn executions are no part of the search: they count in no statistics, and what goes wrong in them is left to the
// search to find. They are drawn by count, not by time, so that the estimate can be reproduced.
#pragma once

#include "explore/engine.hpp"
#include "explore/estimate.hpp"

namespace heddle {

// When to draw.
struct EstimatePlan {
  std::uint64_t first = 128;     // after so many executions of the search
  std::uint64_t at_once = 0;     // so many then
  std::uint64_t every = 8;       // and one after so many more
  std::uint64_t at_most = 2000;  // in all
  // Long executions are drawn less often: of their steps there may be so many, and one for so many of the search's own.
  std::uint64_t free_steps = 200'000;
  std::uint64_t share = 16;
};

class Estimating final : public Reduction {
 public:
  Estimating(Reduction& inner, Estimator& estimator, EstimatePlan plan)
      : inner_(inner), estimator_(estimator), plan_(plan) {}

  std::optional<Choice> first_choice(const Program& program) override { return inner_.first_choice(program); }
  void performed(const Program& program, const Event& event) override {
    ++steps_;
    inner_.performed(program, event);
  }
  void ended(const Program& program, bool cut) override {
    ++executions_;
    inner_.ended(program, cut);
  }
  [[nodiscard]] bool covered() const override { return inner_.covered(); }
  std::optional<Branch> backtrack(Prober& prober) override {
    std::optional<Branch> branch = inner_.backtrack(prober);
    // The program is between executions, and whoever runs it next restarts it. After the last one nobody asks.
    if (branch) draw(prober);
    return branch;
  }
  [[nodiscard]] std::optional<Ended> gave_up() const override { return inner_.gave_up(); }

 private:
  void draw(Prober& prober) {
    if (executions_ < plan_.first) return;
    std::uint64_t wanted = executions_ == plan_.first ? plan_.at_once : 0;
    if ((executions_ - plan_.first) % plan_.every == 0) ++wanted;
    for (; wanted > 0 && drawn_ < plan_.at_most; --wanted, ++drawn_) {
      if (drawn_steps_ > plan_.free_steps + steps_ / plan_.share) return;
      if (prober.visit({}) == nullptr) return;  // restarts the program; the search is over if that failed
      drawn_steps_ += estimator_.sample();
    }
  }

  Reduction& inner_;
  Estimator& estimator_;
  EstimatePlan plan_;
  std::uint64_t executions_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t drawn_ = 0;
  std::uint64_t drawn_steps_ = 0;
};

}  // namespace heddle
