// A story on a terminal: a narrow lane for each thread, then the operation, its place and its source text.
#pragma once

#include <string>

#include "report/console.hpp"
#include "report/sources.hpp"
#include "report/story.hpp"

namespace heddle {

[[nodiscard]] std::string story_to_console(const Story& story, const SourceLines& sources, const ConsoleStyle& style);

}  // namespace heddle
