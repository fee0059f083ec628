// How long something takes, for deciding between ways that lead to the same. Looking at the clock is not free either,
// so most of the time nobody does.
#pragma once

#include <chrono>
#include <optional>

namespace heddle::native {

class Stopwatch {
 public:
  explicit Stopwatch(bool runs) noexcept {
    if (runs) start_ = std::chrono::steady_clock::now();
  }
  // Nothing if it was not started.
  [[nodiscard]] std::optional<double> nanoseconds() const noexcept {
    if (!start_) return std::nullopt;
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - *start_).count();
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> start_;
};

}  // namespace heddle::native
