// pthread_cancel: a request that its thread acts upon at its next cancellation point, unless it has disabled that.
//
// A thread that waits at a cancellation point when the request comes has a further outcome there, whether or not what
// it waits for is there too: POSIX leaves open which of the two it notices. Requests depend on everything, because
// every later cancellation point of the thread can show them.
#pragma once

#include <array>
#include <cstdint>

#include "base/ids.hpp"
#include "program/native/fibre.hpp"

namespace heddle::native {

struct Cancellation {
  struct Thread {
    bool requested = false;
    bool disabled = false;
    bool asynchronous = false;
    bool acting = false;
  };
  std::array<Thread, kMaxThreads> threads{};
};

// Whether the thread has to act on a request at its pending cancellation point.
[[nodiscard]] bool cancel_due(const Fibre& fibre) noexcept;

// The outcome of a cancellation point is the one that is not the usual one: acts on a request, if that is the reason.
void act_if_cancelled();

// A cancellation point that does not wait. Invisible in programs that never call pthread_cancel.
void cancellation_point(std::uint64_t site);

}  // namespace heddle::native
