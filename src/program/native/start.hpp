// What the runtime hands to the worker once the program is ready to be explored.
#pragma once

#include <cstdint>

#include "program/native/native_program.hpp"

namespace heddle::native {

struct StartedProgram {
  EntryPoint entry;
  const char* configuration = nullptr;  // what the supervisor passed in the environment
  bool dispatch = false;                // system calls of uninstrumented code come to us
};

// Explores; returns the exit status of the process. Called on the original stack, after the snapshot.
using WorkerMain = int (*)(const StartedProgram&);
// Reports, before there is anything to explore, that the program cannot be, or that it never came to what was to be.
enum class Early : std::uint8_t { Refused, Unreached };
using EarlyRefusal = void (*)(const char* configuration, Early why, const char* sentence);
void set_worker(WorkerMain worker, EarlyRefusal refusal);

// Main runs as it is, on its way to the one function that is to be explored: what the supervisor passed; else null.
[[nodiscard]] const char* configuration_on_the_way();
// It has come there: `function(context)` takes main's place in what is explored.
[[noreturn]] void explore_function(void (*function)(void*), void* context);
// The program is at its end; if it was on its way, it missed the place.
void end_on_the_way();

// The program starts a thread while its static objects are constructed.
[[noreturn]] void refuse_thread_before_main();

}  // namespace heddle::native
