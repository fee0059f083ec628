// A result for people: the finding first, in one sentence, then the story that leads there, then what was covered.
#pragma once

#include <string>

#include "report/result.hpp"
#include "report/story.hpp"

namespace heddle {

struct ConsoleStyle {
  bool colour = false;
  std::size_t width = 80;
  StoryLimits story = {};
};

[[nodiscard]] std::string to_console(const Result& result, const ConsoleStyle& style);

// An execution that was stopped on its way: the story so far, and where the threads are.
[[nodiscard]] std::string stop_to_console(const ReportedFinding& stopped,
                                          const std::map<std::string, std::string>& sources, const ConsoleStyle& style);

}  // namespace heddle
