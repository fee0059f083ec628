// What a thread keeps in order to notice that it waits in a loop: see await.hpp. Plain arrays throughout, of which
// checkpoints copy what is in use.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::native {

// What is used in any program.
struct AwaitCounts {
  // An operation announced: the cheap test whether a thread is going round in circles.
  struct Arrival {
    std::uint64_t place = 0;  // site and object
    std::uint32_t epoch = 0;
    std::uint32_t when = 0;
  };

  std::uint64_t epoch = 1;         // counted up with all that the thread does to anything but its own stack
  std::uint64_t epoch_before = 1;  // before the operation under way, which may turn out to have changed nothing
  std::uint64_t now = 0;           // operations performed
  std::uint64_t plain_read = 0;    // when the thread last read memory of others that is not atomic
  std::uint64_t observed = 0;      // when another thread last failed to get a mutex because this thread had it
  std::uint64_t forgotten = 0;     // of reads up to then some are no longer in `reads`
  std::uint64_t waits_since = 0;   // when the last round began of a thread that waits
  std::uint64_t others_words = 0;  // hash of what others write on its stack, as it was then
  std::uint32_t oldest_round = 0;
  std::uint32_t taken_count = 0;
  bool waiting = false;  // for something that it read to change: it takes no further step

  std::array<Arrival, 8> arrivals{};
};

// What is used once some loop is known.
struct AwaitRounds {
  // Where a round of a loop may have begun, with all the thread knew there.
  struct Round {
    std::uint64_t site = 0;
    std::uint64_t object = 0;  // one site may serve several: the load function of a library, say
    std::uint64_t stack_pointer = 0;
    std::uint64_t epoch = 0;
    std::array<std::uint64_t, 2> state{};  // of registers and stack
    std::uint64_t since = 0;               // reads after this belong to the round
    bool again = false;                    // this is the second of two equal rounds
  };
  struct Read {
    std::uint64_t address = 0;
    std::uint64_t value = 0;
    std::uint64_t when = 0;
    std::uint32_t size = 0;
  };

  std::array<Round, 16> rounds{};
  std::array<Read, 24> reads{};
};

struct AwaitWatch : AwaitCounts, AwaitRounds {
  // A mutex that the thread has taken: if it is given back before the round is over, nothing has changed.
  struct Taken {
    std::uint64_t object = 0;
    std::uint64_t when = 0;
  };
  std::array<Taken, 8> taken{};
};

}  // namespace heddle::native
