// What the program has of the system besides its memory, as the model keeps it: the one place for state that an
// execution changes and that is neither the program's memory nor a thread's. Plain data without pointers into itself:
// copying the struct saves it, and copying it back restores it.
#pragma once

#include <type_traits>

#include "program/native/cancellation.hpp"
#include "program/native/channels.hpp"
#include "program/native/libcxx_waits.hpp"
#include "program/native/named_semaphores.hpp"
#include "program/native/signal_state.hpp"

namespace heddle::native {

struct ProcessObjects {
  bool used = false;  // by this execution: as long as not, everything is as it was in the beginning
  std::uint32_t weak_cas_failures = 0;
  std::uint32_t allocation_failures = 0;
  LibcxxWaits libcxx_waits;
  Channels channels;
  SignalState signals;
  Cancellation cancellation;
  NamedSemaphores semaphores;
};
static_assert(std::is_trivially_copyable_v<ProcessObjects>);

extern ProcessObjects process_objects;

// For a change.
inline ProcessObjects& change_process_objects() noexcept {
  process_objects.used = true;
  return process_objects;
}

// Back to the beginning of an execution.
void process_objects_reset() noexcept;

}  // namespace heddle::native
