#include "explore/nearest_passing.hpp"

#include <algorithm>

#include "model/execution.hpp"

namespace heddle {
namespace {

class Search {
 public:
  Search(Program& program, const std::vector<PlannedChoice>& failing, const NearestPassingLimits& limits)
      : program_(program), failing_(failing), limits_(limits), max_steps_(2 * failing.size() + 1000) {}

  std::optional<NearestPassing> find() {
    if (!look_at_failing()) return std::nullopt;
    // From the end on: the first hit is the latest.
    for (std::size_t j = operations_.size(); j-- > 0;) {
      if (j < failing_.size()) try_outcomes(j);
      for (std::size_t i = std::min(j, failing_.size()); i-- > 0 && !found_;) {
        if (conflict(i, j)) try_reversal(i, j);
      }
      if (found_ || exhausted_) break;
    }
    return found_;
  }

 private:
  struct Step {
    ThreadId thread;
    Operation op;  // as announced
    Outcomes outcomes;
  };

  // Performs the failing schedule once more, for what is not in it: operations, outcomes, and who is blocked at last.
  bool look_at_failing() {
    program_.restart();
    for (const PlannedChoice& planned : failing_) {
      const ThreadId thread = planned.choice.thread;
      if (thread.value >= program_.thread_count() || !program_.enabled().contains(thread)) return false;
      operations_.push_back({thread, program_.thread(thread).pending, program_.thread(thread).outcomes});
      execution_.push(program_.step(planned.choice));
    }
    for (std::size_t t = 0; t < program_.thread_count(); ++t) {
      const ThreadId thread{static_cast<std::uint16_t>(t)};
      const ThreadState& state = program_.thread(thread);
      if (state.phase != ThreadPhase::Pending || program_.enabled().contains(thread)) continue;
      operations_.push_back({thread, state.pending, {}});
    }
    return true;
  }

  [[nodiscard]] bool conflict(std::size_t i, std::size_t j) const {
    const Step& a = operations_[i];
    const Step& b = operations_[j];
    if (a.thread == b.thread) return false;
    const auto overlap = [](std::uint64_t x, std::uint32_t x_size, std::uint64_t y, std::uint32_t y_size) {
      return x != 0 && y != 0 && x < y + std::max(1U, y_size) && y < x + std::max(1U, x_size);
    };
    if (a.op.kind == OpKind::Load && b.op.kind == OpKind::Load) return false;
    return overlap(a.op.object, a.op.size, b.op.object, b.op.size);
  }

  // Whether another attempt may be made; counts it.
  bool begin_attempt() {
    exhausted_ = exhausted_ || attempts_ >= limits_.attempts || events_ >= limits_.events || limits_.give_up();
    ++attempts_;
    return !exhausted_ && !found_;
  }

  [[nodiscard]] std::vector<Choice> choices(std::size_t from) const {
    std::vector<Choice> wishes;
    for (std::size_t k = from; k < failing_.size(); ++k) wishes.push_back(failing_[k].choice);
    return wishes;
  }

  void try_outcomes(std::size_t at) {
    const Outcomes outcomes = operations_[at].outcomes;
    for (Outcome other = outcomes.first; other < outcomes.end(); ++other) {
      if (other == failing_[at].choice.outcome || !begin_attempt()) continue;
      std::vector<PlannedChoice> fixed(failing_.begin(), failing_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
      fixed.back().choice.outcome = other;
      const GuidedRun run = run_guided(program_, fixed, choices(at + 1), max_steps_);
      events_ += run.schedule.size();
      if (run.end != GuidedRun::End::Passed) continue;
      found_ = NearestPassing{.first = at,
                              .second = std::nullopt,
                              .second_thread = {},
                              .second_operation = {},
                              .other_outcome = other,
                              .schedule = run.schedule};
    }
  }

  void try_reversal(std::size_t i, std::size_t j) {
    std::vector<PlannedChoice> fixed(failing_.begin(), failing_.begin() + static_cast<std::ptrdiff_t>(i));
    std::vector<Choice> rest{failing_[i].choice};
    for (std::size_t k = i + 1; k < failing_.size(); ++k) {
      if (k == j) continue;
      const bool after = k > j || execution_.happens_before(i, k);
      // The thread of j has to be at j, and nothing that follows i has happened yet: else j cannot come first.
      if (k < j && after && operations_[k].thread == operations_[j].thread) return;
      if (after) {
        rest.push_back(failing_[k].choice);
      } else {
        fixed.push_back(failing_[k]);
      }
    }
    if (!begin_attempt()) return;
    const Step& late = operations_[j];
    fixed.push_back({{late.thread, j < failing_.size() ? failing_[j].choice.outcome : 0}, digest(late.op)});
    const GuidedRun run = run_guided(program_, fixed, rest, max_steps_);
    events_ += run.schedule.size();
    if (run.end != GuidedRun::End::Passed) return;
    found_ = NearestPassing{.first = i,
                            .second = j,
                            .second_thread = late.thread,
                            .second_operation = late.op,
                            .other_outcome = 0,
                            .schedule = run.schedule};
  }

  Program& program_;
  const std::vector<PlannedChoice>& failing_;
  const NearestPassingLimits& limits_;
  std::size_t max_steps_;
  std::vector<Step> operations_;
  Execution execution_;
  std::optional<NearestPassing> found_;
  std::size_t attempts_ = 0;
  std::size_t events_ = 0;
  bool exhausted_ = false;
};

}  // namespace

std::optional<NearestPassing> find_nearest_passing(Program& program, const std::vector<PlannedChoice>& failing,
                                                   const NearestPassingLimits& limits) {
  return Search(program, failing, limits).find();
}

}  // namespace heddle
