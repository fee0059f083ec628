// Processes forked from the worker, as they are needed inside a program under control.
#pragma once

#include "explore/stateful/processes.hpp"

namespace heddle {

// As fork, but the child goes when its parent goes, also if that has happened already, and is asked to give up on
// threads itself.
[[nodiscard]] int fork_child();

// Waits for the end of a child, and says how it was as the system call does.
[[nodiscard]] int wait_for_child(int child);

// For searches over states in several processes. `at_exit` is called in each of the others before it ends.
[[nodiscard]] const Processes& worker_processes(void (*at_exit)());

}  // namespace heddle
