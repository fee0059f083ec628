#include "program/native/recorder.hpp"

#include <sys/ucontext.h>
#include <unwind.h>

#include <array>

#include "program/native/runtime.hpp"

namespace heddle::native {
namespace {

constexpr std::size_t kDeepest = 64;

struct Recorder {
  std::uint64_t watched = 0;
  std::array<Stack, kMaxThreads> pending;
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
  for (Stack& stack : recorder.pending) stack.clear();
  recorder.failure.clear();
  recorder.touches.clear();
}

void record_stack(Fibre& fibre) { recorder.pending[fibre.id.value] = capture(); }

void record_failure_stack() {
  if (recorder.failure.empty()) recorder.failure = capture();
}

void record_failure_context(const void* signal_context) {
  // The unwinder passes through the signal frame by itself when called on the same stack; handlers on the alternate
  // stack give it the interrupted state instead: program counter first, then whatever the frame pointers show.
  const auto& registers = static_cast<const ucontext_t*>(signal_context)->uc_mcontext.gregs;
  recorder.failure = capture();
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
  recorder.touches.push_back({rt.current->id, what, capture()});
}

const Stack& pending_stack(ThreadId thread) { return recorder.pending[thread.value]; }
const Stack& failure_stack() { return recorder.failure; }
std::span<const Touch> touches() { return recorder.touches; }

}  // namespace heddle::native
