// pthread_t values: the address of the thread's descriptor, as in glibc, so that they are unique and stable.
#pragma once

#include <pthread.h>

#include "program/native/fibre.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {

[[nodiscard]] pthread_t handle_of(const Fibre& fibre) noexcept;
// Null if no thread of this execution has the handle.
[[nodiscard]] Fibre* thread_of(pthread_t handle) noexcept;

// Runs a thread just created up to its first visible operation, as part of its creator's step.
void run_to_first_operation(Fibre& child);

[[nodiscard]] inline bool booting() noexcept { return rt.booting; }
// Holds what main's thread did before main.
[[nodiscard]] Fibre& main_before_main();

}  // namespace heddle::native
