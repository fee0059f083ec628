// A program behind the seam that gets a fresh process for each execution: for programs whose memory is not all that
// they change, and as an independent opinion on restarting by putting memory back.
//
// The process that searches never runs the program itself. A restart forks it; the child performs the steps it is told
// over shared memory, and is killed at the next restart.
#pragma once

#include <functional>
#include <memory>

#include "program/native/native_program.hpp"
#include "program/program.hpp"

namespace heddle {

class ForkedProgram final : public Program {
 public:
  explicit ForkedProgram(native::NativeProgram& inner);
  ~ForkedProgram() override;
  ForkedProgram(const ForkedProgram&) = delete;
  ForkedProgram& operator=(const ForkedProgram&) = delete;

  void restart() override;
  [[nodiscard]] std::size_t thread_count() const override;
  [[nodiscard]] const ThreadState& thread(ThreadId thread) const override;
  [[nodiscard]] const ThreadSet& enabled() const override;
  [[nodiscard]] ProgramPhase phase() const override;
  const Event& step(Choice choice) override;
  std::size_t run(std::span<const PlannedChoice> prefix) override;
  [[nodiscard]] const Finding* raised() const override;
  [[nodiscard]] bool abandoned() const override;
  [[nodiscard]] std::optional<ThreadId> goes_with(std::uint64_t address) const override {
    return inner_.goes_with(address);
  }
  [[nodiscard]] std::optional<Finding> conclude() override;
  [[nodiscard]] ThreadPath path(ThreadId thread) const override;
  [[nodiscard]] std::optional<ThreadId> find(const ThreadPath& path) const override;

  // Does something in a fresh process, from the initial state, and waits for its end; whether that was a normal one.
  bool in_fresh_process(const std::function<void()>& body);

 private:
  struct Shared;
  void serve();                       // the child's side
  void pass(const Finding& finding);  // likewise
  void ask(int command);
  void end_child();

  native::NativeProgram& inner_;
  Shared* shared_;
  int child_ = 0;
  bool died_ = false;
  Finding finding_;
  std::array<std::uint32_t, kMaxThreads> events_{};  // performed by each thread
  ThreadSet nobody_;
};

}  // namespace heddle
