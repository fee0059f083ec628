// A replay under gdb.
#pragma once

#include "cli/supervisor.hpp"

namespace heddle {

// Replaces this process by gdb, which runs the worker and stops at the failure, or at step `until` if that is not 0.
[[noreturn]] void debug_replay(const WorkerRun& run, std::size_t steps, std::size_t until);

}  // namespace heddle
