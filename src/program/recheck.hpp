// A decorator over any program: runs a sample of the executions a second time and fails loudly if the program then does
// something else. What it samples are the 1st, 2nd, 4th, 8th ... execution, so that the cost vanishes; or all of them.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace heddle {

class Recheck final : public Program {
 public:
  enum class Sample : std::uint8_t { Few, All };
  explicit Recheck(Program& inner, Sample sample = Sample::Few) : inner_(inner), sample_(sample) {}

  void restart() override;
  std::size_t rerun(std::span<const PlannedChoice> prefix, std::size_t same) override;
  [[nodiscard]] const Program& undecorated() const override { return inner_.undecorated(); }
  [[nodiscard]] std::size_t thread_count() const override { return inner_.thread_count(); }
  [[nodiscard]] const ThreadState& thread(ThreadId thread) const override { return inner_.thread(thread); }
  [[nodiscard]] const ThreadSet& enabled() const override { return inner_.enabled(); }
  [[nodiscard]] ProgramPhase phase() const override { return inner_.phase(); }
  const Event& step(Choice choice) override;
  const Event* drive(Choice choice, Driver& driver) override {
    return sampled_ ? Program::drive(choice, driver) : inner_.drive(choice, driver);
  }
  std::size_t run(std::span<const PlannedChoice> prefix) override;
  [[nodiscard]] const Finding* raised() const override { return inner_.raised(); }
  [[nodiscard]] bool abandoned() const override { return inner_.abandoned(); }
  [[nodiscard]] std::optional<ThreadId> goes_with(std::uint64_t address) const override {
    return inner_.goes_with(address);
  }
  [[nodiscard]] std::optional<Finding> conclude() override { return inner_.conclude(); }
  [[nodiscard]] ThreadPath path(ThreadId thread) const override { return inner_.path(thread); }
  [[nodiscard]] std::optional<ThreadId> find(const ThreadPath& path) const override { return inner_.find(path); }

 private:
  [[nodiscard]] bool last_repeats();

  Program& inner_;
  Sample sample_;
  bool sampled_ = false;             // the execution under way will be run again
  std::vector<PlannedChoice> last_;  // its choices
  std::uint64_t executions_ = 0;
};

}  // namespace heddle
