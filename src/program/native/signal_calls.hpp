// Signals that the program sends to itself, and waiting for them.
//
// A signal that its thread blocks stays pending until somebody waits for it (sigwait) or it is unblocked. One that is
// not blocked ends the program, is ignored, or runs a handler: at once if the thread sends it to itself, as POSIX has
// it. A handler that would interrupt another thread anywhere in its code is refused by name.
#pragma once

#include <csignal>
#include <cstdint>
#include <optional>

#include "model/operation.hpp"
#include "program/native/fibre.hpp"
#include "program/native/syscalls.hpp"

namespace heddle::native {

// The result of a system call about signals; nothing if it is none.
[[nodiscard]] std::optional<long> signal_call(const SystemCall& call);

// pthread_kill and raise: 0 or an error number.
int signal_thread(Fibre& target, int signal, std::uint64_t site);

// The thread has written to a pipe that nobody reads.
void signal_broken_pipe(std::uint64_t site);

// A new thread blocks what its creator blocks.
void signals_inherit(const Fibre& parent, const Fibre& child) noexcept;
// ... or what its attributes say.
void signals_block(const Fibre& child, const sigset_t& blocked) noexcept;

// Whether a pending SignalWait can go on.
[[nodiscard]] bool signal_there(const Fibre& fibre, const Operation& pending) noexcept;

}  // namespace heddle::native
