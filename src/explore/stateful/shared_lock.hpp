// A lock in memory that processes share, for the few instructions it takes to put something there.
#pragma once

#include <atomic>
#include <cstdint>

#include "explore/stateful/processes.hpp"

namespace heddle {

class Holding {
 public:
  Holding(std::uint32_t& word, const Processes& processes) : lock_(word) {
    for (unsigned tries = 1; lock_.exchange(1, std::memory_order_acquire) != 0; ++tries) {
      if (tries % 64 == 0) processes.pause();
    }
  }
  ~Holding() { lock_.store(0, std::memory_order_release); }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

 private:
  std::atomic_ref<std::uint32_t> lock_;
};

}  // namespace heddle
