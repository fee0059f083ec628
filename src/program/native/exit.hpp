// Ends of the program: normal ones, and those in the middle.
#pragma once

#include <cstdint>

namespace heddle::native {

// exit, _exit, quick_exit or abort where the program should not end: a finding.
[[noreturn]] void exit_in_the_middle(const char* function, int status, std::uint64_t site);

// `main` has returned (or called exit): runs exit handlers and static destructors as further steps of main's thread,
// then ends that thread.
[[noreturn]] void end_of_main(int status, std::uint64_t site);

// The function that is explored in place of main has returned: ends its thread.
[[noreturn]] void end_of_function();

// Looks at the program's file for functions to run at exit; once, before the snapshot.
void find_program_destructors();

// To be registered before any other exit handler, so that it runs last and keeps libc from ending the process.
void register_last_exit_handler();

}  // namespace heddle::native
