// Await loops of toy programs: the rule of native/await.hpp, exactly and without regard to speed.
//
// A thread that comes to a visible instruction where it has been before, with the same values in all registers it still
// uses, and has changed nothing in between, takes no further step. Whether it waits for ever is decided by what it read
// on its last round.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/toy/toy_code.hpp"

namespace heddle::toy {

inline constexpr std::size_t kRegisters = 8;
using Registers = std::array<std::int64_t, kRegisters>;

enum class ReadFrom : std::uint8_t { Memory, Mutex, RwLock, Semaphore };

class AwaitWatch {
 public:
  struct Read {
    ReadFrom from;
    std::uint32_t object;
    std::int64_t value;
  };

  void effect() {
    arrivals_.clear();
    reads_.clear();
  }
  void read(const Read& read) { reads_.push_back(read); }
  // The thread comes to a visible instruction; `used` are the registers it still uses there. From now on it may be
  // waiting.
  void arrive(std::size_t instruction, const Registers& registers, std::uint8_t used);

  [[nodiscard]] bool waiting() const noexcept { return waiting_; }
  // What a waiting thread read on its last round.
  [[nodiscard]] const std::vector<Read>& round() const noexcept { return reads_; }

 private:
  struct Arrival {
    std::size_t instruction;
    Registers registers;  // 0 where they are no longer used
    std::size_t reads;    // made before
  };
  std::vector<Arrival> arrivals_;  // since the last effect
  std::vector<Read> reads_;
  bool waiting_ = false;
};

// For each instruction of a thread, the registers that may be read before they are written, from there on: a mask.
[[nodiscard]] std::vector<std::uint8_t> used_registers(const Thread& thread);

}  // namespace heddle::toy
