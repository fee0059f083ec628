#include "program/native/recorder.hpp"

#include <sys/ucontext.h>
#include <unwind.h>

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
  std::vector<Touch> touches;
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

}  // namespace

void recorder_reset(std::uint64_t watched) {
  recorder.watched = watched;
  recorder.steps = 0;
  for (Stack& stack : recorder.pending) stack.clear();
  recorder.failure.clear();
  recorder.touches.clear();
}

void record_stack(Fibre& fibre) { recorder.pending[fibre.id.value] = capture(); }

void record_performed(const Fibre& fibre) {
  OutsideProgram outside;
  recorder.performed[fibre.id.value] = recorder.pending[fibre.id.value];
  heddle_debug_step(++recorder.steps);
}

void record_failure_stack() {
  if (recorder.failure.empty()) recorder.failure = capture();
  heddle_debug_failure();
}

void record_failure_context(void* signal_context) {
  auto& registers = static_cast<ucontext_t*>(signal_context)->uc_mcontext.gregs;
  // A call through a wild pointer: the interrupted address belongs to no function, but its caller's is on the stack.
  // The unwinder reads this context on its way, so it is put back to just inside the call.
  if (registers[REG_RIP] < static_cast<greg_t>(kPage)) {
    registers[REG_RIP] = *reinterpret_cast<const greg_t*>(registers[REG_RSP]) - 1;
    registers[REG_RSP] += 8;
  }
  // From here the unwinder goes through the signal frame to the interrupted code; our own frames are dropped.
  recorder.failure = capture();
  heddle_debug_failure();
  const auto ip = static_cast<std::uint64_t>(registers[REG_RIP]);
  for (std::size_t i = 0; i < recorder.failure.size(); ++i) {
    if (recorder.failure[i] == ip + 1) {
      recorder.failure.erase(recorder.failure.begin(), recorder.failure.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
  recorder.failure.insert(recorder.failure.begin(), ip + 1);
}

void record_touch(std::uint64_t address, std::uint64_t size, const char* what) {
  if (recorder.watched < address || recorder.watched >= address + size) return;
  OutsideProgram outside;
  const bool before_steps = rt.current->id == kMainThread && rt.current->events == 0;
  recorder.touches.push_back({rt.current->id, what, before_steps, capture()});
}

const Stack& pending_stack(ThreadId thread) { return recorder.pending[thread.value]; }
const Stack& event_stack(ThreadId thread) { return recorder.performed[thread.value]; }
const Stack& failure_stack() { return recorder.failure; }
std::span<const Touch> touches() { return recorder.touches; }

}  // namespace heddle::native
