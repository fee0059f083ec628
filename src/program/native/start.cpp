// How control is taken: __libc_start_main is the first function the program calls. Under `heddle check` we let libc
// construct the program's static objects and then, instead of main, take the snapshot and hand over to the worker.
//
// If one function inside the program is to be explored (heddle::check in a unit test), main runs as it is, still as
// part of the beginning, until it calls `explore_function`. What it has built up by then lies on the original stack,
// too, and must be put back: the search moves to a stack of its own.
#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "program/native/arena.hpp"
#include "program/native/context_switch.hpp"
#include "program/native/control.hpp"
#include "program/native/exit.hpp"
#include "program/native/foreign_code.hpp"
#include "program/native/keys.hpp"
#include "program/native/loaded_code.hpp"
#include "program/native/own_memory.hpp"
#include "program/native/real.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"
#include "program/native/signals.hpp"
#include "program/native/snapshot.hpp"
#include "program/native/start.hpp"
#include "program/native/syscalls.hpp"
#include "program/native/system_library.hpp"
#include "program/native/terminate.hpp"
#include "program/native/thread_handles.hpp"
#include "program/native/tls.hpp"

extern "C" char __libc_single_threaded;
extern "C" char** environ;

namespace heddle::native {
namespace {

using Main = int (*)(int, char**, char**);

struct Starting {
  EntryPoint entry;
  WorkerMain worker = nullptr;
  EarlyRefusal refusal = nullptr;
  const char* configuration = nullptr;
  bool on_the_way = false;  // main runs, until it comes to the function to explore
};
constinit Starting starting;

constexpr std::size_t kSearchStackSize = std::size_t{8} << 20U;

// Variables that are between the supervisor and this library.
bool ours(const char* variable) {
  for (const char* name : {"HEDDLE_WORKER=", "HEDDLE_AT=", "LD_BIND_NOW=", "LD_PRELOAD=", "GLIBC_TUNABLES="}) {
    if (std::strncmp(variable, name, std::strlen(name)) == 0) return true;
  }
  return false;
}

// Arguments and environment lie on the original stack, which is not put back: the program gets copies that are.
char** copy_strings(char** strings, bool filter) {
  std::size_t count = 0;
  while (strings[count] != nullptr) ++count;
  auto* copy = static_cast<char**>(arena_allocate((count + 1) * sizeof(char*), 16, 0));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (filter && ours(strings[i])) continue;
    const std::size_t size = std::strlen(strings[i]) + 1;
    copy[kept] = static_cast<char*>(arena_allocate(size, 1, 0));
    std::memcpy(copy[kept++], strings[i], size);
  }
  copy[kept] = nullptr;
  return copy;
}

// `stack_from`: what of the original stack belongs to the program's state; 0 if nothing does.
[[noreturn]] void take_control(std::uint64_t stack_from) {
  StartedProgram program{.entry = starting.entry, .configuration = starting.configuration};
  find_system_libraries();
  find_foreign_libraries();
  examine_loaded_code();
  find_program_destructors();
  install_terminate_handler();
  rt.tls_base = tls_current_base();
  rt.states = new std::array<ThreadState, kMaxThreads>;
  errno = 0;
  control_begins();
  rt.booting = false;
  tls_prepare();  // from here on what libc allocates for us is ours, and not in pages that are put back
  arena_seal();
  keys_seal();
  install_signal_handlers();
  program.dispatch = start_dispatch();
  // Writing JSON calls it, and it fills in a variable of libc: as part of the initial state, the same for all.
  (void)std::localeconv();
  // So does the unwinder, the first time that a stack is captured for a report: in memory of the library that it shares
  // with the program.
  prepare_recorder();
  take_snapshot(program.dispatch, stack_from);
  ::_exit(starting.worker(program));
}

// Stands in for main when libc calls it.
int controlled_main(int argc, char** argv, char** environment) {
  EntryPoint& entry = starting.entry;
  starting.configuration = std::getenv("HEDDLE_WORKER");
  starting.on_the_way = std::getenv("HEDDLE_AT") != nullptr;
  entry.argc = argc;
  entry.argv = copy_strings(argv, false);
  entry.environment = environ = copy_strings(environment, true);
  __libc_single_threaded = 0;  // otherwise libstdc++ leaves out atomic operations
  // Otherwise the buffer would be allocated by whichever thread prints first.
  std::setvbuf(stdout, static_cast<char*>(arena_allocate(BUFSIZ, 16, 0)),
               ::isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF, BUFSIZ);
  if (!starting.on_the_way) take_control(0);
  return entry.main(entry.argc, entry.argv, entry.environment);
}

// Where the caller's part of the original stack begins, for `explore_on_own_stack`.
constinit std::uint64_t left_stack = 0;
void explore_on_own_stack() { take_control(left_stack); }

__attribute__((constructor(101))) void first_constructor() {
  find_own_memory();
  register_last_exit_handler();
  if (control() == Control::BeforeMain) rt.booting = true;
}

}  // namespace

void set_worker(WorkerMain worker, EarlyRefusal refusal) {
  starting.worker = worker;
  starting.refusal = refusal;
}

void refuse_thread_before_main() {
  control_begins();
  starting.refusal(
      std::getenv("HEDDLE_WORKER"), Early::Refused,
      starting.on_the_way
          ? "the program starts a thread before it comes to the function to explore, which is not modelled: "
            "let the test that holds it be the only one that is run (<heddle/gtest.hpp> and "
            "<heddle/catch2.hpp> do)"
          : "the program starts a thread before main (in the constructor of a static object), which is not "
            "modelled");
  ::_exit(0);
}

const char* configuration_on_the_way() { return starting.on_the_way ? starting.configuration : nullptr; }

void end_on_the_way() {
  if (!starting.on_the_way) return;
  control_begins();
  starting.refusal(starting.configuration, Early::Unreached,
                   "the program ended without coming to the heddle::check named by --at");
  ::_exit(0);
}

void explore_function(void (*function)(void*), void* context) {
  starting.entry.function = function;
  starting.entry.context = context;
  rt.exploring_function = true;
  starting.on_the_way = false;
  left_stack = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  auto* stack = new unsigned char[kSearchStackSize];
  void* abandoned = nullptr;
  switch_stack(&abandoned, prepare_stack(stack + kSearchStackSize, explore_on_own_stack));
  __builtin_unreachable();
}

}  // namespace heddle::native

HEDDLE_INTERCEPT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                                       void (*fini)(), void (*loader_fini)(), void* stack_end) {
  using namespace heddle::native;
  using Function = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  auto* real = HEDDLE_REAL_UNDECLARED(Function, "__libc_start_main");
  if (control() == Control::None) return real(main, argc, argv, init, fini, loader_fini, stack_end);
  starting.entry.main = main;
  // Without the loader's own handler, ours is the last to run at exit.
  return real(controlled_main, argc, argv, init, fini, nullptr, stack_end);
}
