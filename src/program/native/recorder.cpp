#include "program/native/recorder.hpp"

#include <sys/ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <array>

#include "program/native/layout.hpp"
#include "program/native/runtime.hpp"

// Where debuggers stop: on the stack of the thread that takes a step of the schedule, and of the one that fails.
extern "C" {
__attribute__((noinline, visibility("default"))) void heddle_debug_step(unsigned step);
__attribute__((noinline, visibility("default"))) void heddle_debug_failure();

void heddle_debug_step(unsigned step) { asm volatile("" ::"r"(step) : "memory"); }
void heddle_debug_failure() { asm volatile("" ::: "memory"); }
}

namespace heddle::native {
namespace {

constexpr std::size_t kDeepest = 64;

struct Recorder {
  std::uint64_t watched = 0;
  unsigned steps = 0;
  std::array<Stack, kMaxThreads> pending;
  std::array<Stack, kMaxThreads> performed;
  Stack failure;
  bool failure_interrupted = false;  // it is that of a signal, and the failure is yet to come
  std::vector<Touch> touches;
  ThreadId touching;  // of the last of them, with the number of its operations, and how many came before in that step
  std::uint32_t touching_event = 0;
  unsigned in_one_step = 0;
};
Recorder recorder;

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* stack) {
  auto& frames = *static_cast<Stack*>(stack);
  int before = 0;
  // A frame interrupted by a signal has the address of the instruction itself; all others that behind a call. Keep
  // the latter form throughout.
  const auto ip = static_cast<std::uint64_t>(_Unwind_GetIPInfo(context, &before));
  if (ip == 0 || frames.size() >= kDeepest) return _URC_END_OF_STACK;
  frames.push_back(before != 0 ? ip + 1 : ip);
  return _URC_NO_REASON;
}

Stack capture() {
  OutsideProgram outside;
  Stack stack;
  _Unwind_Backtrace(add_frame, &stack);
  return stack;
}

Stack interrupted_stack(void* signal_context) {
  auto& registers = static_cast<ucontext_t*>(signal_context)->uc_mcontext.gregs;
  // A call through a wild pointer: the interrupted address belongs to no function, but its caller's is on the stack.
  // The unwinder reads this context on its way, so it is put back to just inside the call.
  if (registers[REG_RIP] < static_cast<greg_t>(kPage)) {
    registers[REG_RIP] = *reinterpret_cast<const greg_t*>(registers[REG_RSP]) - 1;
    registers[REG_RSP] += 8;
  }
  // From here the unwinder goes through the signal frame to the interrupted code; our own frames are dropped.
  Stack stack = capture();
  const auto ip = static_cast<std::uint64_t>(registers[REG_RIP]);
  const auto interrupted = std::find(stack.begin(), stack.end(), ip + 1);
  if (interrupted == stack.end()) {
    stack.insert(stack.begin(), ip + 1);
  } else {
    stack.erase(stack.begin(), interrupted);
  }
  return stack;
}

}  // namespace

void prepare_recorder() { (void)capture(); }

void recorder_reset(std::uint64_t watched) {
  recorder.watched = watched;
  recorder.steps = 0;
  for (Stack& stack : recorder.pending) stack.clear();
  recorder.failure.clear();
  recorder.failure_interrupted = false;
  recorder.touches.clear();
  recorder.in_one_step = 0;
}

void record_stack(Fibre& fibre) { recorder.pending[fibre.id.value] = capture(); }

void record_performed(const Fibre& fibre) {
  OutsideProgram outside;
  recorder.performed[fibre.id.value] = recorder.pending[fibre.id.value];
  heddle_debug_step(++recorder.steps);
}

// One execution may fail more than once, each time somewhere else.
void record_failure_stack() {
  if (!recorder.failure_interrupted) recorder.failure = capture();
  recorder.failure_interrupted = false;
  heddle_debug_failure();
}

void record_failure_context(void* signal_context) {
  recorder.failure = interrupted_stack(signal_context);
  recorder.failure_interrupted = true;
}

void record_stuck_context(const Fibre& fibre, void* signal_context) {
  recorder.pending[fibre.id.value] = interrupted_stack(signal_context);
  heddle_debug_failure();
}

// A loop that looks at the memory again and again without an operation in between adds nothing but its last look.
void record_touch(std::uint64_t address, std::uint64_t size, const char* what) {
  constexpr unsigned kMostInOneStep = 16;
  constexpr unsigned kMostLooked = 1024;  // at where it is
  if (recorder.watched < address || recorder.watched >= address + size) return;
  const Fibre& fibre = *rt.current;
  const bool same_step = recorder.touching == fibre.id && recorder.touching_event == fibre.events;
  recorder.in_one_step = same_step ? recorder.in_one_step + 1 : 0;
  recorder.touching = fibre.id;
  recorder.touching_event = fibre.events;
  if (recorder.in_one_step > kMostLooked) return;
  OutsideProgram outside;
  if (recorder.in_one_step >= kMostInOneStep) recorder.touches.pop_back();
  const bool before_steps = fibre.id == kMainThread && fibre.events == 0;
  recorder.touches.push_back({fibre.id, what, before_steps, capture()});
}

const Stack& pending_stack(ThreadId thread) { return recorder.pending[thread.value]; }
const Stack& event_stack(ThreadId thread) { return recorder.performed[thread.value]; }
const Stack& failure_stack() { return recorder.failure; }
std::span<const Touch> touches() { return recorder.touches; }

}  // namespace heddle::native
