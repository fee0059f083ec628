// The loop that every stateless search shares: run an execution to its end, let the reduction say where to branch off
// next, go back there, run on.
//
// The engine owns the choice stack (the schedule of the current execution), the budgets, the statistics and the
// listener. A reduction owns what it needs to decide; it never touches the program.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/archive.hpp"
#include "explore/budget.hpp"
#include "model/listener.hpp"
#include "program/program.hpp"

namespace heddle {

// Runs the program along a word that no execution has had, to see what one operation would do there. A word is named by
// the positions of its steps in the current execution. Only to be asked between executions.
class Prober {
 public:
  virtual ~Prober() = default;
  // From the state before choice `depth`, performs the steps at `word` and then the pending operation of a thread: its
  // events, one for each outcome it has there; none if it is blocked.
  virtual std::vector<Event> probe(std::size_t depth, std::span<const std::uint32_t> word, ThreadId thread) = 0;
  // Performs a schedule from the initial state. The program in the state it leads to, to be looked at until the next
  // call; null if the program is not deterministic: the search ends then.
  virtual const Program* visit(std::span<const PlannedChoice> schedule) = 0;
};

// What is explored at each choice. One instance serves one search.
class Reduction {
 public:
  virtual ~Reduction() = default;
  // A state met for the first time, with at least one thread enabled: what to do there first, or nothing if every
  // continuation is known to be covered (the execution then counts as blocked).
  virtual MaybeChoice first_choice(const Program& program) = 0;
  // The choice made last was performed as this event; the program is in the state after it.
  virtual void performed(const Program& program, const Event& event) = 0;
  // The same, in a state in which all there is to do is a join of a thread that has ended: true if that is what
  // first_choice would say. False: nothing has been told yet.
  virtual bool joins_next(const Event& /*event*/, const Operation& /*join*/) { return false; }
  // The current execution is over, and the program still in its last state. `cut`: threads that could run were stopped
  // there, by a finding, a violated assumption or the step budget.
  virtual void ended(const Program& /*program*/, bool /*cut*/) {}
  // Whether it takes floating-point arithmetic to answer the questions above.
  [[nodiscard]] virtual bool calculates() const { return true; }
  // Whether everything that can follow the state just reached is known to be covered: the execution is then given up
  // there, and counts as blocked.
  [[nodiscard]] virtual bool covered() const { return false; }
  // Where the next execution leaves the current one: the first `depth` choices stay, deeper ones are forgotten. Nothing
  // when the search is over.
  struct Branch {
    std::size_t depth;
    std::optional<Choice> choice;             // to be made there; nothing: first_choice is asked
    std::vector<PlannedChoice> instead = {};  // if not empty: begin with these and not with the current execution's
  };
  virtual std::optional<Branch> backtrack(Prober& prober) = 0;
  // All that is known after `backtrack` has said where the next execution begins: written down, or read back by a fresh
  // instance for the same program, which then goes on as this one would have. False if this search cannot do that.
  virtual bool archive(Archive& /*archive*/) { return false; }
  // Why the search is over although not everything has been covered; nothing if it has been.
  [[nodiscard]] virtual std::optional<Ended> gave_up() const { return std::nullopt; }
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

class Engine final : private Prober, private Driver {
 public:
  Engine(Program& program, Reduction& reduction, Listener& listener, ExploreOptions options);

  // `resume_from`: a state that listener.checkpoint was given, to go on from there; empty: from the beginning.
  ExploreResult explore(std::string_view resume_from = {});

  // Ends the search at the next execution; may be called from a signal handler.
  void interrupt() noexcept { interrupted_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] const std::vector<PlannedChoice>& schedule() const noexcept { return schedule_; }

 private:
  enum class End : std::uint8_t { Maximal, Blocked, Failed, Refused, Revised, NotResumed, StepBudget };
  // A finding raised by the execution under way, and the choices that led to it.
  struct Raised {
    Finding finding;
    std::size_t depth;
  };

  std::vector<Event> probe(std::size_t depth, std::span<const std::uint32_t> word, ThreadId thread) override;
  const Program* visit(std::span<const PlannedChoice> schedule) override;
  bool run_probe(std::size_t same);
  bool archive(Archive& archive);
  bool resume(std::string_view state);
  void write_checkpoint();
  End run_execution();
  // What comes after a step: another one; or the end of the execution, which is noted: false.
  [[nodiscard]] bool decide(ProgramPhase phase, Choice& next);
  bool ends(End end) {
    end_ = end;
    return false;
  }
  // Performs a choice and all that the program goes on with by itself, asking `next`. Then as `decide`.
  [[nodiscard]] bool perform(Choice& choice);
  bool next(const Event& event, Choice& choice) override;
  [[nodiscard]] bool calculates() const override { return reduction_.calculates(); }
  bool joins_next(const Event& event, const Operation& join) override;
  void plan(Choice choice);
  void account_for(const Event& event);
  // Counts the execution and reports its finding; the reason to stop the search for it, if there is one.
  std::optional<Ended> finish_execution(End end);
  void note_raised();
  void close();
  bool report(const Finding& finding, std::size_t depth);
  [[nodiscard]] bool known(const Finding& finding) const;
  [[nodiscard]] std::optional<Ended> budget_reached() const;

  Program& program_;
  const Program& threads_;  // the same, to be asked about its threads
  Reduction& reduction_;
  Listener& listener_;
  ExploreOptions options_;
  std::vector<PlannedChoice> schedule_;
  std::optional<Choice> branch_;  // the choice to make at the end of the prefix
  std::optional<End> end_;        // of the execution, if it is over
  std::size_t same_ = 0;          // how many choices of the schedule the program has performed since it was restarted
  std::vector<PlannedChoice> probed_;
  bool resumed_ = false;   // nothing has been run since: the program has yet to show that it does what it did
  bool diverged_ = false;  // a probe did: the program is not deterministic
  bool revised_ = false;   // a probe led to ProgramPhase::Revised
  std::vector<Raised> raised_;
  bool failed_ = false;  // the execution under way raised a finding, a known one or not
  std::vector<std::uint64_t> reported_;
  ExploreResult result_;
  std::chrono::steady_clock::time_point deadline_;
  std::atomic<bool> interrupted_ = false;
};

}  // namespace heddle
