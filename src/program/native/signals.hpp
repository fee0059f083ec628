// Signals of the process: first writes to tracked pages, crashes of the program (contained: the search goes on), system
// calls dispatched to us, and the supervisor's request to give up on a thread that makes no progress.
#pragma once

#include <csignal>
#include <cstdint>

namespace heddle::native {

// Sent by the supervisor when no visible operation has happened for a while.
inline constexpr int kGiveUpSignal = 62;

void install_signal_handlers();
// Requests to give up concern this process, if not 0, which runs the program on our behalf.
void forward_give_up(int process);

// Installs a handler without libc, with a return path through the runtime's own text.
void install_handler(int signal, void (*handler)(int, siginfo_t*, void*), bool alternate_stack);

// Ends the execution because of a signal that would have ended the process.
[[noreturn]] void crash_by_signal(int signal, std::uint64_t address, void* context);

}  // namespace heddle::native
