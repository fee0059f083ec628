// What the runtime hands to the worker once the program is ready to be explored.
#pragma once

#include "program/native/native_program.hpp"

namespace heddle::native {

struct StartedProgram {
  EntryPoint entry;
  const char* configuration = nullptr;  // what the supervisor passed in the environment
  bool dispatch = false;                // system calls of uninstrumented code come to us
  bool thread_before_main = false;      // static constructors tried to start a thread
};

// Explores; returns the exit status of the process. Called on the original stack, after the snapshot.
using WorkerMain = int (*)(const StartedProgram&);
void set_worker(WorkerMain worker);

}  // namespace heddle::native
