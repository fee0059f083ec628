// Call stacks, captured while a finding is replayed for the report. Exploration itself keeps return addresses only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "program/native/fibre.hpp"

namespace heddle::native {

using Stack = std::vector<std::uint64_t>;  // return addresses, innermost first

// Somebody touched the memory a finding is about.
struct Touch {
  ThreadId thread;
  const char* what;   // "read", "write", "atomic read", "allocation", "free", ...
  bool before_steps;  // by main, on the way to its first operation
  Stack stack;
};

// Captures a stack for the first time.
void prepare_recorder();
// Forgets everything; `watched` is the memory whose accesses are to be remembered (0: none).
void recorder_reset(std::uint64_t watched);
// The current fibre's stack, as that of its pending operation.
void record_stack(Fibre& fibre);
// That operation is being performed: its stack is now that of the thread's last event.
void record_performed(const Fibre& fibre);
// The current fibre's stack, as the place of the failure.
void record_failure_stack();
// The stack of code interrupted by a signal, which is about to fail.
void record_failure_context(void* signal_context);
// The same for code that is given up on: as that of a pending operation.
void record_stuck_context(const Fibre& fibre, void* signal_context);
// An access to memory by the current fibre, if that memory is watched.
void record_touch(std::uint64_t address, std::uint64_t size, const char* what);

[[nodiscard]] const Stack& pending_stack(ThreadId thread);
[[nodiscard]] const Stack& event_stack(ThreadId thread);
[[nodiscard]] const Stack& failure_stack();
[[nodiscard]] std::span<const Touch> touches();

}  // namespace heddle::native
