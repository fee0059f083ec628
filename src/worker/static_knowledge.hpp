// What the supervisor's static analysis has found out, for the program in this process.
#pragma once

#include <string>

#include "explore/static_sets.hpp"

namespace heddle {

// A thread stands where its pending operation was called from.
[[nodiscard]] StaticKnowledge static_knowledge(const std::string& text, bool visible_all);

}  // namespace heddle
