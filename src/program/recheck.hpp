// A decorator over any program: runs a sample of the executions a second time and fails loudly if the program then does
// something else. What it samples are the 1st, 2nd, 4th, 8th ... execution, so that the cost vanishes.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace heddle {

class Recheck final : public Program {
 public:
  explicit Recheck(Program& inner) : inner_(inner) {}

  void restart() override;
  [[nodiscard]] std::size_t thread_count() const override { return inner_.thread_count(); }
  [[nodiscard]] const ThreadState& thread(ThreadId thread) const override { return inner_.thread(thread); }
  [[nodiscard]] const ThreadSet& enabled() const override { return inner_.enabled(); }
  [[nodiscard]] ProgramPhase phase() const override { return inner_.phase(); }
  const Event& step(Choice choice) override;
  std::size_t run(std::span<const PlannedChoice> prefix) override;
  [[nodiscard]] std::optional<Finding> conclude() override { return inner_.conclude(); }
  [[nodiscard]] ThreadPath path(ThreadId thread) const override { return inner_.path(thread); }
  [[nodiscard]] std::optional<ThreadId> find(const ThreadPath& path) const override { return inner_.find(path); }

 private:
  Program& inner_;
  bool sampled_ = false;             // the execution under way will be run again
  std::vector<PlannedChoice> last_;  // its choices
  std::uint64_t executions_ = 0;
};

}  // namespace heddle
