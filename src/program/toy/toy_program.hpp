// The toy back-end: interprets toy code behind the seam. Everything is kept in a few vectors, and a restart copies the
// initial ones.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "program/program.hpp"
#include "program/toy/toy_await.hpp"
#include "program/toy/toy_code.hpp"

namespace heddle::toy {

struct ToyOptions {
  unsigned timeouts = 2;          // per thread and execution while another thread can run
  unsigned spurious_wakeups = 0;  // per execution
  bool awaits = true;             // loops that change nothing are recognised
};

class ToyProgram final : public Program {
 public:
  explicit ToyProgram(ToyCode code, ToyOptions options = {});

  void restart() override;
  [[nodiscard]] std::size_t thread_count() const override { return code_.threads.size(); }
  [[nodiscard]] const ThreadState& thread(ThreadId thread) const override { return states_[thread.value]; }
  [[nodiscard]] const ThreadSet& enabled() const override { return enabled_; }
  [[nodiscard]] ProgramPhase phase() const override { return ProgramPhase::Running; }
  const Event& step(Choice choice) override;
  [[nodiscard]] std::span<const ObjectAccess> section() const override { return section_; }
  std::size_t run(std::span<const PlannedChoice> prefix) override;
  [[nodiscard]] const Finding* raised() const override { return raised_ ? &finding_ : nullptr; }
  [[nodiscard]] bool abandoned() const override;
  [[nodiscard]] std::optional<Finding> conclude() override;
  [[nodiscard]] ThreadPath path(ThreadId thread) const override { return std::to_string(thread.value); }
  [[nodiscard]] std::optional<ThreadId> find(const ThreadPath& path) const override;

  [[nodiscard]] bool keeps_states() const override { return true; }
  [[nodiscard]] StateHandle save() override;
  void restore(StateHandle state) override;
  void release(StateHandle state) override;
  void describe(std::vector<StatePart>& parts) override;
  [[nodiscard]] std::uint64_t kept_bytes() const override;

  // Whether a thread has been recognised as waiting in a loop.
  [[nodiscard]] bool waits(ThreadId thread) const { return locals_[thread.value].await.waiting(); }

 private:
  // Outcomes besides the usual one, 0.
  static constexpr Outcome kTimeout = 1;
  static constexpr Outcome kSpurious = 2;
  static ThreadId id(std::size_t thread) { return ThreadId{static_cast<std::uint16_t>(thread)}; }

  struct Local {
    std::size_t next = 0;  // instruction
    Registers registers{};
    std::uint32_t events = 0;
    unsigned timeouts = 0;
    bool started = false;
    bool stopped = false;
    // The second half of a two-event instruction is pending: waiting in a condition variable, or in a barrier.
    bool in_second_half = false;
    bool signalled = false;
    bool woken_alone = false;  // by a wake that nobody else could have had: it may as well have come too late
    std::int64_t barrier_generation = 0;
    AwaitWatch await;
  };
  struct RwLock {
    std::vector<std::size_t> readers;
    std::optional<std::size_t> writer;
  };
  struct BarrierState {
    std::int64_t arrived = 0;
    std::int64_t generation = 0;
  };
  struct Shared {
    std::map<std::uint32_t, std::int64_t> memory;
    std::map<std::uint32_t, std::size_t> mutex_owner;
    std::map<std::uint32_t, RwLock> rwlocks;
    std::map<std::uint32_t, std::int64_t> semaphores;
    std::map<std::uint32_t, BarrierState> barriers;
    unsigned spurious_used = 0;
  };

  // Everything that changes in the course of an execution.
  struct Kept {
    std::vector<Local> locals;
    Shared shared;
    std::vector<ThreadState> states;
    ThreadSet enabled;
    bool forced = false;
    Finding finding;
    bool raised = false;
    bool abandoned = false;
  };

  void describe_shared();
  void describe_local(std::size_t thread);
  void put(std::uint64_t value);  // appends to the description

  void advance(std::size_t thread);  // over invisible instructions, to the next visible one or the end
  void perform_section(std::size_t thread);
  void begin(std::size_t thread);
  void refresh();  // pending operations' outcomes and the enabled set
  [[nodiscard]] Operation pending_operation(std::size_t thread) const;
  [[nodiscard]] Operation pending_of(std::size_t thread, const Instruction& code) const;
  [[nodiscard]] Outcomes outcomes(std::size_t thread) const;
  [[nodiscard]] bool may_time_out(std::size_t thread) const;
  [[nodiscard]] std::uint64_t owner_plus_one(std::uint32_t mutex) const;
  [[nodiscard]] std::vector<std::size_t> waiters(std::uint32_t condition) const;
  [[nodiscard]] const Instruction& instruction(std::size_t thread) const;
  [[nodiscard]] bool finished(std::size_t thread) const;
  // Of the step just performed: did it only look at something, and at what?
  [[nodiscard]] std::optional<AwaitWatch::Read> only_read(const Instruction& code) const;
  void watch(std::size_t thread, const Instruction& performed);
  void arrive(std::size_t thread);  // at its next visible instruction
  [[nodiscard]] std::int64_t value_of(ReadFrom from, std::uint32_t object) const;
  // Whether a thread that waits could go on: something that it read has changed.
  [[nodiscard]] bool waits_in_vain(const Local& local) const;
  void fail(FindingKind kind, std::size_t thread, std::string message);

  // Each performs the pending instruction of a thread and completes the event; false: the instruction is not over yet.
  bool perform(std::size_t thread, Outcome outcome);
  void perform_memory(const Instruction& code, Local& local);
  void perform_pair(const Instruction& code, Local& local);
  void perform_rwlock(std::size_t thread, const Instruction& code, Local& local);
  bool perform_wait(std::size_t thread, const Instruction& code, Local& local, Outcome outcome);
  void perform_signal(const Instruction& code, Outcome outcome);
  bool perform_barrier(const Instruction& code, Local& local);

  ToyCode code_;
  ToyOptions options_;
  std::vector<bool> created_by_someone_;
  std::vector<std::vector<std::uint8_t>> used_registers_;  // per thread and instruction
  std::vector<Local> locals_;
  Shared shared_;
  std::vector<ThreadState> states_;
  ThreadSet enabled_;
  bool forced_ = false;  // the enabled threads are so only because nobody else can run
  Finding finding_;
  bool raised_ = false;  // by the last step
  bool abandoned_ = false;
  Event event_;
  std::vector<ObjectAccess> section_;

  std::vector<std::optional<Kept>> kept_;  // by handle
  std::vector<std::size_t> free_handles_;
  std::vector<std::byte> description_;
};

}  // namespace heddle::toy
