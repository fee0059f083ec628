// Random numbers that are the same everywhere: the standard fixes what mt19937_64 yields, but not what its
// distributions make of it.
#pragma once

#include <cstdint>
#include <random>

namespace heddle::differential {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // From 0 to n-1; the bias of the remainder is of no account for small n.
  std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(engine_() % n); }
  std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace heddle::differential
