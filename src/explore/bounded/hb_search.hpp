// Context-bounded search over happens-before states (Musuvathi & Qadeer): what algorithms 1 and 2 share.
//
// The paper's Search goes from state to state; we have executions. An execution goes on from the state it is in, by
// steps that cost no preemption where possible, until it ends or meets a state that the algorithm knows to be covered.
// Then the algorithm names a step that it wants taken next: any (s, t) with CB(s, t) <= csb. The program is led to s by
// the execution that makes the fewest preemptions (ContextBound::best_order), not by the one that found s: so no
// execution that is run ever makes more than csb preemptions, and neither does the schedule of a finding.
//
// `next(s, t) in H` is known only when the step has been taken in s once. An execution that takes it and finds itself
// in H ends there; that happens at most once for each step of each state, and counts as blocked.
//
// Bounds are searched one after another, from the first to the last. States, their steps and all that is known about CB
// stay, and no execution is run again for a larger bound.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "explore/bounded/context_bound.hpp"
#include "explore/bounded/hb_states.hpp"
#include "explore/engine.hpp"
#include "explore/stateless/thread_order.hpp"

namespace heddle {

inline constexpr std::uint32_t kNoBound = std::numeric_limits<std::uint32_t>::max();

struct BoundRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;  // kNoBound: until everything is covered
};

inline constexpr std::size_t kMostHbStates = 2'000'000;

struct HbSearchOptions {
  BoundRange bounds;
  ThreadOrder order = ThreadOrder::Lowest;
  std::size_t most_states = kMostHbStates;
  bool exact = false;  // compare states in full where their hashes are equal
};

// What the search of one bound came to.
struct BoundReport {
  std::uint32_t bound = 0;
  std::uint64_t executions =
      0;  // run for this bound, complete or abandoned: their context bound is above the one before
  std::uint64_t blocked = 0;
  std::uint64_t states = 0;  // in the paper's table H in the end
  bool complete = false;
};

class HbSearch : public Reduction {
 public:
  explicit HbSearch(const HbSearchOptions& options);

  MaybeChoice first_choice(const Program& program) override;
  void performed(const Program& program, const Event& event) override;
  void ended(const Program& program, bool cut) override;
  [[nodiscard]] bool covered() const override { return covered_; }
  std::optional<Branch> backtrack(Prober& prober) override;
  bool archive(Archive& archive) override;
  [[nodiscard]] std::optional<Ended> gave_up() const override;

  [[nodiscard]] const std::vector<BoundReport>& reports() const noexcept { return reports_; }
  // Whether the bounds searched so far left nothing out.
  [[nodiscard]] bool everything() const noexcept { return everything_; }

 protected:
  struct Wanted {
    StateId state;
    Choice choice;
  };

  // The execution has reached a state that is not in H, from another one.
  virtual void arrived(StateId state) = 0;
  // The execution has ended in this state.
  virtual void ended_in(StateId state) = 0;
  // A step within the bound that leads out of H, or may; nothing if there is none.
  virtual std::optional<Wanted> next_wanted(Prober& prober) = 0;
  // The bound has become larger.
  virtual void enlarge(Prober& prober) = 0;
  // Whether some step was left out for its bound.
  [[nodiscard]] virtual bool left_out() const = 0;
  // What the algorithm knows besides.
  virtual void archive_algorithm(Archive& archive) = 0;

  [[nodiscard]] std::uint32_t bound() const noexcept { return reports_.back().bound; }
  [[nodiscard]] bool in_table(StateId state) const { return states_[state].in_table; }
  void put_in_table(StateId state);
  void take_from_table(StateId state);
  [[nodiscard]] bool leads_into_table(const HbStep& step) const {
    return step.next != kNoId && states_[step.next].in_table;
  }
  [[nodiscard]] bool within_bound(StateId state, ThreadId thread, Prober& prober) {
    return context_bound_.at_most(state, thread, bound(), prober);
  }
  [[nodiscard]] bool gave_up_on_bounds() const noexcept { return context_bound_.gave_up(); }

  HbStates states_;
  ContextBound context_bound_;

 private:
  void begin(const Program& program);
  Branch go_to(const Wanted& wanted);
  [[nodiscard]] std::uint32_t preemption(ThreadId next) const;

  HbSearchOptions options_;
  std::vector<BoundReport> reports_;
  bool everything_ = false;
  // The current execution.
  Execution execution_;
  std::vector<ActionId> actions_;  // of its events
  StateId state_ = kInitialState;
  std::uint32_t preemptions_ = 0;
  bool covered_ = false;
  bool blocked_ = false;
};

}  // namespace heddle
