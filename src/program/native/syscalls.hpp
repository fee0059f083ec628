// System calls of the program. With Syscall User Dispatch every one it makes, from whatever code, comes here: it is
// modelled, passed through, or refused by name. Nothing is executed blindly.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::native {

struct SystemCall {
  long number;
  std::array<std::uint64_t, 6> arguments;
  std::uint64_t site;
};

// Performs a call on behalf of the current fibre; the result as the kernel returns it.
long perform_system_call(const SystemCall& call);

// Turns dispatch on for this OS thread; false where the kernel does not have it.
[[nodiscard]] bool start_dispatch();

// Deterministic random bytes, from the current thread's own sequence.
void random_bytes(void* to, std::size_t size);

// The process and thread ids that the program sees.
inline constexpr long kProcessId = 100'000;
[[nodiscard]] long thread_kernel_id();

}  // namespace heddle::native
