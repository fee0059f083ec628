// The native back-end behind the seam: the real program, in this process, restarted by putting its memory back.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/operation.hpp"
#include "program/native/checkpoints.hpp"
#include "program/native/fibre.hpp"
#include "program/native/native_states.hpp"
#include "program/native/runtime.hpp"
#include "program/native/stack_check.hpp"
#include "program/program.hpp"

namespace heddle::native {

// The program as the process was started with it.
struct EntryPoint {
  int (*main)(int, char**, char**) = nullptr;
  int argc = 0;
  char** argv = nullptr;
  char** environment = nullptr;
  // If set, this is explored instead of main.
  void (*function)(void*) = nullptr;
  void* context = nullptr;
};

class NativeProgram final : public Program, private Dispatcher {
 public:
  // The snapshot must have been taken. There can be only one. `heartbeat` is counted up as the program makes progress.
  NativeProgram(EntryPoint entry, volatile std::uint64_t& heartbeat);

  void restart() override;
  [[nodiscard]] std::size_t thread_count() const override;
  [[nodiscard]] const ThreadState& thread(ThreadId thread) const override;
  [[nodiscard]] bool all_ended() const override;
  [[nodiscard]] const ThreadSet& enabled() const override;
  [[nodiscard]] ProgramPhase phase() const override;
  const Event& step(Choice choice) override;
  const Event* drive(Choice choice, Driver& driver) override;
  [[nodiscard]] std::span<const ObjectAccess> section() const override;
  [[nodiscard]] std::optional<ThreadId> goes_with(std::uint64_t address) const override { return stack_owner(address); }
  std::size_t run(std::span<const PlannedChoice> prefix) override;
  std::size_t rerun(std::span<const PlannedChoice> prefix, std::size_t same) override;
  [[nodiscard]] const Finding* raised() const override;
  [[nodiscard]] bool abandoned() const override;
  [[nodiscard]] std::optional<Finding> conclude() override;
  [[nodiscard]] ThreadPath path(ThreadId thread) const override;
  [[nodiscard]] std::optional<ThreadId> find(const ThreadPath& path) const override;

  [[nodiscard]] bool keeps_states() const override;
  [[nodiscard]] StateHandle save() override { return states_.save(); }
  void restore(StateHandle state) override;
  void release(StateHandle state) override { states_.release(state); }
  void describe(std::vector<StatePart>& parts) override { states_.describe(parts); }
  [[nodiscard]] std::uint64_t kept_bytes() const override { return states_.kept_bytes(); }

  // While recording, call stacks are captured at each operation, and accesses to the memory at `watched` remembered.
  void record(bool on, std::uint64_t watched = 0);

 private:
  // To the initial state; `checked`: running there has been checked before, and the race check's state is left as the
  // last execution left it until it is known what comes next.
  void start(bool checked);
  // Restarting is put off until it is known where the search goes: it may get there without. If somebody asks before...
  void settle() const;
  // The program's stacks are as they were at the beginning, or in a checkpoint: so is what lies below them, where that
  // makes a difference.
  void stacks_put_back() const;
  void reset_checks();
  void reset_watch();
  [[nodiscard]] bool may_go_back() const;
  // Performs a prefix, of which the last execution began with `same` choices at least.
  [[nodiscard]] std::size_t run_known(std::span<const PlannedChoice> prefix, std::size_t same);
  [[nodiscard]] std::size_t common_with_last(std::span<const PlannedChoice> prefix, std::size_t same) const;
  [[nodiscard]] bool go_back(std::size_t depth);
  [[nodiscard]] std::size_t return_along(std::span<const PlannedChoice> prefix);
  [[nodiscard]] std::size_t check_again(std::span<const PlannedChoice> schedule);
  void compare_with_replay(std::span<const PlannedChoice> prefix);
  // Performs the choices of a schedule from number `from` on; the number performed, those before included.
  [[nodiscard]] std::size_t perform(std::span<const PlannedChoice> schedule, std::size_t from, bool checked);
  [[nodiscard]] bool branches() const;
  // The two halves of a step, before and after the thread runs. The first is false if the thread cannot take it,
  // because it was wrongly taken to wait in a loop.
  [[nodiscard]] bool begin_step(Choice choice);
  void end_step();
  // Asks the driver what comes next.
  [[nodiscard]] Fibre* next_fibre() override;
  // Whether the step just taken was a join, and the thread now joins another one because nobody else can run: the end
  // of most executions, made short. Both halves of the steps have been done then.
  [[nodiscard]] bool joins_next();
  // The same for joins behind that one.
  [[nodiscard]] bool joins_on(const Fibre& other, std::uint64_t site) override;
  void joined_alone(const Fibre& fibre);
  [[nodiscard]] bool wants_checkpoint() const;
  void finish_step();
  void refuse_if_stateless();
  void note_stop();
  // A replayed prefix no longer fits.
  bool doubts(ThreadId thread);
  void differs(std::size_t performed, ThreadId wanted);
  [[nodiscard]] Finding deadlock(ThreadId blocked) const;
  [[nodiscard]] Finding no_progress(ThreadId thread, std::string message) const;
  [[nodiscard]] std::optional<Finding> lone_spinner() const;
  [[nodiscard]] const Fibre* waiting(bool for_ever) const;
  [[nodiscard]] Finding livelock(const Fibre& spinner) const;
  void end_lone_spin();
  [[nodiscard]] bool repeats(const Event& event);

  const ThreadSet* enabled_ = nullptr;
  // Steps in a row that a thread has taken alone, changing nothing: the sign of a spin that nobody will end.
  std::uint64_t lone_reads_ = 0;
  ThreadId lone_thread_;
  std::array<std::uint32_t, 64> lone_seen_{};  // digests of its last operations: only repeating ones count
  std::size_t lone_next_ = 0;                  // how many there were
  std::vector<Choice> performed_;              // since the start; while undecided, those of the last execution
  static constexpr std::size_t kNoStop = ~std::size_t{0};
  std::size_t first_stop_ = kNoStop;  // choices performed when a thread first stopped
  bool undecided_ = false;            // restarted as checked, and nothing has been chosen yet
  bool put_off_ = false;              // restarted in name only: the program is still where the last execution ended
  std::size_t known_ = 0;             // choices of this execution that the last one had made, too
  std::size_t joins_alone_ = 0;       // at its end, where no search comes back to
  Driver* driver_ = nullptr;
  bool calculates_ = true;
  bool ended_ = false;  // the step under way is: its second half has been done
  bool told_ = false;   // and the driver knows
  struct {
    ThreadId thread;
    Outcome outcome;
    bool alone, forced, several;  // as the step began
    bool in_section;              // somebody was in the middle of one then
  } step_{};
  Checkpoints checkpoints_;
  NativeStates states_;
  std::uint64_t times_gone_back_ = 0;
  bool unsteady_ = false;  // an execution run again did not leave the race check's state the same
  bool recording_ = false;
  std::uint64_t watched_ = 0;
};

}  // namespace heddle::native
