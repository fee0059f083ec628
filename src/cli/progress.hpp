// How a search is going, while it is: one line on a terminal, or lines of JSON for machines.
#pragma once

#include <cstdint>
#include <string>

#include "model/listener.hpp"

namespace heddle {

enum class ProgressStyle : std::uint8_t { None, Line, Json };

struct ProgressState {
  double seconds = 0;
  Statistics statistics;
  std::size_t findings = 0;
  double estimate = 0;        // of the executions needed in all; 0: none yet
  double estimate_error = 0;  // relative; 1 and more: not more than the order of magnitude is known
};

// For a terminal; a line that it would break could not be written over.
[[nodiscard]] std::string progress_line(const ProgressState& state, std::size_t columns = 79);
// One object: seconds, executions, rate, blocked, abandoned, events, depth, findings, and once there is one estimate
// with estimate_error.
[[nodiscard]] std::string progress_json(const ProgressState& state);

}  // namespace heddle
