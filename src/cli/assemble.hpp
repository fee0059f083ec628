// Makes a result of what a worker reported and how it ended.
#pragma once

#include "cli/check_options.hpp"
#include "cli/supervisor.hpp"
#include "report/result.hpp"

namespace heddle {

// Fills in everything but the program, its arguments and how it was built.
[[nodiscard]] Result assemble(const WorkerOutcome& outcome, const CheckOptions& options);

// The first message of a type, or null.
[[nodiscard]] const nlohmann::json* find_message(const WorkerOutcome& outcome, const char* type);

}  // namespace heddle
