// What happens when a thread ends: destructors of thread_local objects, then of thread-specific keys, in POSIX's order.
#pragma once

#include "program/native/fibre.hpp"

namespace heddle::native {

void run_thread_destructors(Fibre& fibre);

}  // namespace heddle::native
