// A small generator of random numbers: the same seed gives the same numbers everywhere, which no standard distribution
// promises.
#pragma once

#include <cstdint>

namespace heddle {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }
  // From 0 to count - 1; the bias is below count / 2^64.
  constexpr std::uint64_t below(std::uint64_t count) noexcept {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * count) >> 64U);
  }

 private:
  std::uint64_t state_;
};

}  // namespace heddle
