// What a search covered, in words and figures.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/check_options.hpp"
#include "report/result.hpp"

namespace heddle {

// Fills in the coverage; `done` is the worker's last message, null if it died before. The verdict must be there.
void describe_coverage(Result& result, const nlohmann::json* done, const CheckOptions& options);

}  // namespace heddle
