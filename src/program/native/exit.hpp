// Ends of the program: normal ones, and those in the middle.
#pragma once

#include <cstdint>

#include "program/native/outcomes.hpp"

namespace heddle::native {

// exit, _exit, quick_exit or abort where the program should not end: a finding.
[[noreturn]] void exit_in_the_middle(const char* function, int status, std::uint64_t site);

// `main` has returned (or called exit): runs exit handlers and static destructors as further steps of main's thread,
// then ends that thread.
[[noreturn]] void end_of_main(int status, std::uint64_t site);

// main has been left by pthread_exit, and now the last thread has come to its end: the process does, with exit handlers
// and static destructors. They run on that thread, as with glibc, and belong to its last step: nobody is left whose
// steps they could be interleaved with, and which thread is the last may hang on the order of steps that have nothing
// to do with each other.
[[noreturn]] void end_of_last_thread();

// What an operation of theirs comes to. One that waits for ever is a deadlock.
[[nodiscard]] Outcome outcome_at_exit(const Fibre& fibre);

// They ask for something that hangs on which thread has ended last: only that of this execution is known.
[[noreturn, gnu::cold]] void refuse_at_exit();

// They are done, or their thread has been stopped: its last step is what it was without them.
void exit_handlers_end();

// The function that is explored in place of main has returned: ends its thread.
[[noreturn]] void end_of_function();

// Looks at the program's file for functions to run at exit; once, before the snapshot.
void find_program_destructors();

// To be registered before any other exit handler, so that it runs last and keeps libc from ending the process.
void register_last_exit_handler();

}  // namespace heddle::native
