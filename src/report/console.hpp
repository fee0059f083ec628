// A result for people: the finding first, in one sentence, then the schedule that leads there, then what was covered.
#pragma once

#include <string>

#include "report/result.hpp"

namespace heddle {

struct ConsoleStyle {
  bool colour = false;
  std::size_t most_events = 60;  // longer schedules are folded in the middle
};

[[nodiscard]] std::string to_console(const Result& result, const ConsoleStyle& style);

}  // namespace heddle
