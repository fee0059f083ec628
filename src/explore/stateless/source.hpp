// Source-DPOR (Abdulla, Aronis, Jonsson, Sagonas 2014, algorithm 1), with blocking operations.
//
// The story. For each state keep a set of threads to be explored from it, at first a single one. For each race (e, e')
// of an execution let v be what happened after e and not because of it, followed by e'. A thread that can begin v
// (an initial of v) must be explored from the state before e; if none is in the state's set yet, one is added. The sets
// that arise are source sets: enough for every trace, and smaller than persistent sets. Sleep sets see to it that each
// trace is run once; what source sets cannot avoid is executions that begin as necessary and end asleep.
//
// Unlike in algorithm 2, v holds only what happened before e'. Races are therefore found as the paper does, for each
// event in the state it was performed in, though the work is put off to the end of the execution: it only changes sets
// of states that have not been left. Races of a disabled operation are looked for in every state in which it could have
// a new one, not only at the end (algorithms.md 6 (*): there the proof is).
#pragma once

#include "explore/engine.hpp"
#include "explore/stateless/frames.hpp"
#include "explore/stateless/pending.hpp"
#include "explore/stateless/races.hpp"

namespace heddle {

class SourceReduction final : public Reduction {
 public:
  explicit SourceReduction(ThreadOrder order = ThreadOrder::Lowest) : frames_(order) {}

  MaybeChoice first_choice(const Program& program) override;
  [[nodiscard]] bool calculates() const override { return false; }
  void performed(const Program& program, const Event& event) override;
  void ended(const Program& program, bool cut) override;
  std::optional<Branch> backtrack(Prober& prober) override;
  bool archive(Archive& archive) override;

 private:
  void add_initial(const ReversedRace& race);
  // The initials of a race's word, in the word's order.
  void find_initials(const ReversedRace& race, const Event& last);
  [[nodiscard]] MaybeChoice next(const StateFrame& frame) const;

  Execution execution_;
  Frames frames_;
  std::size_t examined_ = 0;               // events whose races have been looked at
  std::vector<PendingOperation> blocked_;  // disabled operations met by this execution
  std::vector<ThreadId> initials_;
  std::vector<Execution::Position> firsts_;  // per thread: its first step in the word
};

}  // namespace heddle
