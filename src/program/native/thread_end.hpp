// What happens when a thread ends: destructors of thread_local objects, then of thread-specific keys, in POSIX's order;
// then robust mutexes that it holds lose their owner. Of these the thread that ends the whole process only does the
// first.
#pragma once

#include "program/native/fibre.hpp"

namespace heddle::native {

// The current thread's function has returned, or was left by pthread_exit or cancellation.
[[noreturn]] void end_thread();

// Destructors of thread_local objects.
void run_tls_destructors(Fibre& fibre);

}  // namespace heddle::native
