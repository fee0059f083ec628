// The runtime inside the program under test: the one process-wide instance there is, because interceptors have no
// argument to find it by. Everything else is reached through it.
//
// Control flow. The search runs on the process's original stack (the scheduler's side). `resume` switches to a fibre,
// which performs its pending operation and runs on until its next visible operation calls `reach`; that announces the
// operation and switches back. While a known prefix is being replayed, `reach` goes straight on to the next thread; and
// so it does in the new part of an execution if the dispatcher, which is asked on the fibre's own stack, says who that
// is.
//
// `inside` is true exactly while code of the program runs on a fibre. Interceptors look at it first: outside, they are
// ordinary libc functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "model/finding.hpp"
#include "program/native/context_switch.hpp"
#include "program/native/fibre.hpp"
#include "program/native/tls.hpp"
#include "program/program.hpp"

namespace heddle::native {

// How a search goes back to a state it has been in: by running what led there again, by restoring a checkpoint before
// it where there can be one, or by what is measured to be cheaper.
enum class Backtrack : std::uint8_t { Auto, Restore, Replay };

struct Settings {
  bool visible_all = false;  // plain accesses are scheduling points
  bool report_races = true;
  bool reuse_heap = false;  // last freed first, instead of quarantine
  bool show_output = false;
  bool stateful = false;  // states are kept and compared
  std::uint32_t timeouts = 2;
  std::uint32_t spurious_wakeups = 0;
  std::uint32_t weak_cas_failures = 0;
  std::uint32_t allocation_failures = 0;
  std::uint64_t heap_limit = std::uint64_t{1} << 30U;
  std::uint64_t seed = 1;
  Backtrack backtrack = Backtrack::Auto;
  bool recorded_choices = false;    // in replay: choices take recorded values, so they may be of any number
  bool reduced = false;             // the search leaves schedules out
  bool ends_depend = false;         // and goes by events: these tell where a thread's end meets accesses to its stack
  bool check_undo_log = false;      // for tests: whether going back led to the right state is looked at often
  std::uint64_t spin_limit = 2000;  // consecutive reading steps of a lone thread that count as no progress
};

// Why an execution cannot be continued although it is nobody's fault: verdict `unsupported` or `incomplete`.
enum class Refusal : std::uint8_t { None, Unsupported, Limit };

// What the scheduler's side decides on the stack of the fibre that took the last step.
class Dispatcher {
 public:
  // Which fibre takes the next step; null if that cannot be decided there.
  virtual Fibre* next_fibre() = 0;
  // Whether the current fibre, which is `rt.joining`, joins another thread without announcing it: both halves of the
  // step have been done then. If not, it has to be announced.
  virtual bool joins_on(const Fibre& other, std::uint64_t site) = 0;

 protected:
  ~Dispatcher() = default;
};

struct Runtime {
  bool inside = false;
  bool booting = false;     // under control, but `main` has not begun: constructors of static objects are running
  bool controlled = false;  // under `heddle check`, from the snapshot on
  bool exploring_function = false;  // and not main: it has no business ending the process
  bool recording = false;           // replaying a finding for the report: stacks are captured
  // What runs now has run before, after the same choices: it was checked then, and what it does to the race check's
  // state stands there already (see undo_log.hpp). Never while recording.
  bool checked = false;
  // The thread that runs has just joined the last of the others, and knows all that they have done: until its next
  // visible operation nothing it does can race with anything.
  bool unwatched = false;
  Fibre* current = nullptr;
  void* scheduler_stack = nullptr;
  std::uint64_t tls_base = 0;  // in force
  std::uint8_t no_selector = 0;
  volatile std::uint8_t* selector = &no_selector;  // of Syscall User Dispatch, once it is on

  volatile std::uint64_t* heartbeat = nullptr;  // counted up as the program makes progress
  const PlannedChoice* replay_next = nullptr;
  const PlannedChoice* replay_end = nullptr;
  bool replaying = false;  // from the first step of the prefix to the end of its last
  Dispatcher* dispatcher = nullptr;
  // The thread whose step it is, and has been since it went from one join straight to another because nobody else could
  // run.
  Fibre* joining = nullptr;

  std::array<Fibre*, kMaxThreads> fibres{};
  std::size_t thread_count = 0;  // met in this search
  std::array<ThreadState, kMaxThreads>* states = nullptr;
  Event event;

  bool mixed_step = false;        // the step did more than its event says: the event must count as Unknown
  Fibre* atomic_owner = nullptr;  // the thread that ran last in an atomic section, if it is in it yet
  std::uint32_t open_sections = 0;

  ProgramPhase phase = ProgramPhase::Running;
  bool raised = false;               // a finding, by the last step
  bool stopped = false;              // some thread of this execution failed or violated an assumption
  bool abandoned = false;            // this execution violated an assumption of the program
  bool main_returned = false;        // and exit handlers run
  bool exited = false;               // they have: who is left ends with the process
  bool closing = false;              // they run although main was left by pthread_exit: see end_of_last_thread
  std::size_t held_at_exit = 0;      // locks that the thread on which they run held when it ended
  bool main_returned_early = false;  // in some execution, while other threads still ran: said in the coverage statement
  int exit_status = 0;
  std::uint32_t spurious_used = 0;
  bool timeouts_cut = false;  // --timeouts held one back: said in the coverage statement

  bool gave_up = false;      // in some execution, on a thread: what it would have done is not covered
  bool time_moved = false;   // in some execution: clocks or time-outs were used
  bool weak_orders = false;  // an atomic access weaker than seq_cst was made: said in the coverage statement

  Finding finding;
  std::uint64_t fault_address = 0;  // memory the finding is about, to capture who else touched it
  Refusal refusal = Refusal::None;
  std::string refusal_text;

  Settings settings;
};

extern Runtime rt;

// --- on a fibre

// The second half of `reach`, when the operation stands in the thread's state.
Outcome reach_announced();

// Stops the current thread with a finding. `site` distinguishes defects.
[[noreturn, gnu::cold]] void fail(FindingKind kind, std::string message, std::uint64_t site);
// Stops the current thread: an assumption does not hold.
[[noreturn, gnu::cold]] void abandon();
// Ends the search: the program does something that is not modelled, or a limit of the runtime is reached.
[[noreturn, gnu::cold]] void refuse(Refusal refusal, std::string sentence);

// The current thread's function has returned (or pthread_exit was called): runs destructors and leaves the fibre.
[[noreturn]] void finish_thread();

// The same, for signal handlers that give up on the current fibre.
[[noreturn]] void leave_fibre();

// The current thread will never reach another visible operation, it seems: it counts as blocked from here on.
[[noreturn, gnu::cold]] void give_up(std::uint64_t site);

// The current thread takes no further step in this execution.
[[noreturn]] void stand_still();

// A sentence for the coverage statement, once each.
void note_once(const std::string& sentence);
[[nodiscard]] std::span<const std::string> notes();

// --- on the scheduler's side

// A fibre's code is about to run.
inline void enter(Fibre& fibre) noexcept {
  rt.current = &fibre;
  if (fibre.tls_base == rt.tls_base) return;
  tls_use(fibre.tls_base);
  rt.tls_base = fibre.tls_base;
}
// Runs a fibre until control comes back.
__attribute__((always_inline)) inline void resume(Fibre& fibre) {
  enter(fibre);
  *rt.selector = 1;
  rt.inside = true;
  switch_stack(&rt.scheduler_stack, fibre.stack_pointer);
}
// A fibre for a thread, fresh; `parent` null for main.
Fibre& start_fibre(Fibre* parent, void* (*start)(void*), void* argument, std::uint64_t site);

// Makes the stack of a thread that has not run yet as large as it asks for.
void give_stack(Fibre& fibre, std::uint64_t size);

// The thread another one would create next, without creating it.
[[nodiscard]] ThreadId next_child(const Fibre& parent);

// Makes room for the first thread.
void prepare_main_thread();
// Gives the next free number to the `ordinal`-th child of a thread, which another process met.
void adopt_thread(ThreadId parent, std::uint32_t ordinal);

[[nodiscard]] inline Fibre& fibre_of(ThreadId thread) noexcept { return *rt.fibres[thread.value]; }
[[nodiscard]] inline ThreadState& state_of(ThreadId thread) noexcept { return (*rt.states)[thread.value]; }

// Announces a visible operation, waits until it is chosen, and starts its event. Returns the outcome chosen.
// Field by field: copying the operation as a whole would read back in wide pieces what was just written in narrow ones,
// which processors do slowly.
__attribute__((always_inline)) inline Outcome reach(const Operation& op) {
  const Fibre& fibre = *rt.current;
  Operation& pending = fibre.state->pending;
  pending.kind = op.kind;
  pending.order = op.order;
  pending.plain = op.plain;
  pending.timed = op.timed || fibre.timed;
  pending.size = op.size;
  pending.object = op.object;
  pending.second = op.second;
  pending.site = fibre.called_from == 0 ? op.site : fibre.called_from;
  return reach_announced();
}

// Marks a stretch of runtime code on a fibre that calls libc: interceptors stand aside and system calls go through.
class OutsideProgram {
 public:
  OutsideProgram() noexcept : inside_(rt.inside), selector_(*rt.selector) {
    rt.inside = false;
    *rt.selector = 0;
  }
  ~OutsideProgram() {
    *rt.selector = selector_;
    rt.inside = inside_;
  }
  OutsideProgram(const OutsideProgram&) = delete;
  OutsideProgram& operator=(const OutsideProgram&) = delete;

 private:
  bool inside_;
  std::uint8_t selector_;
};

}  // namespace heddle::native

// The address an interceptor was called from, as the site of its operation.
#define HEDDLE_SITE reinterpret_cast<std::uint64_t>(__builtin_return_address(0))
