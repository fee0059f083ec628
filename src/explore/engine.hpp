// The loop that every stateless search shares: run an execution to its end, let the reduction say where to branch off
// next, go back there, run on.
//
// The engine owns the choice stack (the schedule of the current execution), the budgets, the statistics and the
// listener. A reduction owns what it needs to decide; it never touches the program.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "explore/budget.hpp"
#include "model/listener.hpp"
#include "program/program.hpp"

namespace heddle {

// What is explored at each choice. One instance serves one search.
class Reduction {
 public:
  virtual ~Reduction() = default;
  // A state met for the first time, with at least one thread enabled: what to do there first, or nothing if every
  // continuation is known to be covered (the execution then counts as blocked).
  virtual std::optional<Choice> first_choice(const Program& program) = 0;
  // The choice made last was performed as this event.
  virtual void performed(const Event& event) = 0;
  // The current execution is over. Returns the depth of the deepest choice that has an alternative left and what that
  // is; deeper choices are forgotten. Nothing when the search is complete.
  struct Branch {
    std::size_t depth;
    Choice choice;
  };
  virtual std::optional<Branch> backtrack() = 0;
};

struct ExploreOptions {
  Budget budget;
  bool keep_going = false;  // past the first finding
};

struct ExploreResult {
  Ended ended = Ended::Complete;
  bool cut_executions = false;  // some execution reached the step budget
  Statistics statistics;
};

class Engine {
 public:
  Engine(Program& program, Reduction& reduction, Listener& listener, ExploreOptions options);

  ExploreResult explore();

  // Ends the search at the next execution; may be called from a signal handler.
  void interrupt() noexcept { interrupted_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] const std::vector<PlannedChoice>& schedule() const noexcept { return schedule_; }

 private:
  enum class End : std::uint8_t { Maximal, Blocked, Failed, Abandoned, Refused, StepBudget };

  End run_execution();
  void perform(Choice choice);
  // Counts the execution and reports its finding; the reason to stop the search for it, if there is one.
  std::optional<Ended> finish_execution(End end);
  bool report(const Finding& finding);
  [[nodiscard]] std::optional<Ended> budget_reached() const;

  Program& program_;
  Reduction& reduction_;
  Listener& listener_;
  ExploreOptions options_;
  std::vector<PlannedChoice> schedule_;
  std::optional<Choice> branch_;  // the choice to make at the end of the prefix
  std::vector<std::uint64_t> reported_;
  ExploreResult result_;
  std::chrono::steady_clock::time_point deadline_;
  std::atomic<bool> interrupted_ = false;
};

}  // namespace heddle
