// Code that Heddle cannot see into: libraries compiled without instrumentation, inline assembly.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/suppressions.hpp"
#include "report/result.hpp"

namespace heddle {

// Says so in the coverage statement, with names, unless it was declared harmless; leaves out suppressed warnings.
void describe_unseen_code(Result& result, const std::vector<nlohmann::json>& messages, const std::string& executable,
                          const Suppressions& suppressions);

}  // namespace heddle
