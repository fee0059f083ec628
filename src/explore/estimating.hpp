// A decorator over any reduction that keeps an estimate beside the search: between executions of the search, it draws
// some of its own.
//
// Drawn executions are no part of the search: they count in no statistics, and what goes wrong in them is left to the
// search to find. They are drawn by counting steps, not by time, so that the estimate can be reproduced.
//
// The estimate is for searches that take long, and must not make them longer. A drawn step costs as much as one to
// three of the search, so drawing one for two hundred keeps within about one per cent; a search that is over soon has
// then drawn little or nothing, and nobody needed to foresee its end. A draw also makes the back-end begin from the
// start when the search goes on, hence several at a time.
#pragma once

#include <algorithm>

#include "explore/engine.hpp"
#include "explore/estimate.hpp"

namespace heddle {

// When to draw.
struct EstimatePlan {
  std::uint64_t at_once = 0;     // so many after the first execution,
  std::uint64_t free = 200'000;  // unless these are more steps than that: some tenths of a second
  std::uint64_t share = 200;     // from then on one step for so many of the search's own
  std::uint64_t at_most = 2000;  // executions in all
};

class Estimating final : public Reduction {
 public:
  Estimating(Reduction& inner, Estimator& estimator, EstimatePlan plan)
      : inner_(inner), estimator_(estimator), plan_(plan) {}

  MaybeChoice first_choice(const Program& program) override { return inner_.first_choice(program); }
  void performed(const Program& program, const Event& event) override {
    ++steps_;
    inner_.performed(program, event);
  }
  // Not counted: these joins cost next to nothing.
  bool joins_next(const Event& event, const Operation& join) override { return inner_.joins_next(event, join); }
  void ended(const Program& program, bool cut) override {
    ++executions_;
    inner_.ended(program, cut);
  }
  [[nodiscard]] bool covered() const override { return inner_.covered(); }
  [[nodiscard]] bool calculates() const override { return inner_.calculates(); }
  std::optional<Branch> backtrack(Prober& prober) override {
    std::optional<Branch> branch = inner_.backtrack(prober);
    // The program is between executions, and whoever runs it next restarts it. After the last one nobody asks.
    if (branch) draw(prober);
    return branch;
  }
  bool archive(Archive& archive) override {
    archive(executions_);
    archive(steps_);
    archive(length_);
    archive(drawn_);
    archive(drawn_steps_);
    estimator_.archive(archive);
    return inner_.archive(archive);
  }
  [[nodiscard]] std::optional<Ended> gave_up() const override { return inner_.gave_up(); }

 private:
  static constexpr std::uint64_t kBatch = 16;

  void draw(Prober& prober) {
    if (executions_ == 1) {
      length_ = steps_;  // nothing of the first execution was repeated
      draw_up_to(prober, std::min(plan_.at_once, plan_.free / std::max<std::uint64_t>(length_, 1)));
      drawn_steps_ = 0;
    }
    if (drawn_steps_ + kBatch * length_ <= steps_ / plan_.share) draw_up_to(prober, drawn_ + kBatch);
  }

  void draw_up_to(Prober& prober, std::uint64_t count) {
    for (count = std::min(count, plan_.at_most); drawn_ < count; ++drawn_) {
      if (prober.visit({}) == nullptr) return;  // restarts the program; the search is over if that failed
      drawn_steps_ += estimator_.sample();
    }
  }

  Reduction& inner_;
  Estimator& estimator_;
  EstimatePlan plan_;
  std::uint64_t executions_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t length_ = 0;  // of an execution
  std::uint64_t drawn_ = 0;
  std::uint64_t drawn_steps_ = 0;  // to be paid for by the search's
};

}  // namespace heddle
