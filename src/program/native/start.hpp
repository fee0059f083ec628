// What the runtime hands to the worker once the program is ready to be explored.
#pragma once

#include "program/native/native_program.hpp"

namespace heddle::native {

struct StartedProgram {
  EntryPoint entry;
  const char* configuration = nullptr;  // what the supervisor passed in the environment
  bool dispatch = false;                // system calls of uninstrumented code come to us
};

// Explores; returns the exit status of the process. Called on the original stack, after the snapshot.
using WorkerMain = int (*)(const StartedProgram&);
// Reports, before there is anything to explore, that the program cannot be; ends the process.
using EarlyRefusal = void (*)(const char* configuration, const char* sentence);
void set_worker(WorkerMain worker, EarlyRefusal refusal);

// The program starts a thread while its static objects are constructed.
[[noreturn]] void refuse_thread_before_main();

}  // namespace heddle::native
