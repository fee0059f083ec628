// Executables given to `heddle check`: can they be explored, and if not, what is the matter?
#pragma once

#include <string>

#include "cli/supervisor.hpp"

namespace heddle {

// Throws UserError if the file cannot be a program for Heddle.
void check_executable(const std::string& path);

// Why a worker never got as far as exploring, in one sentence. `on_the_way`: it was to come to a heddle::check first.
[[nodiscard]] std::string why_not_started(const std::string& path, const WorkerOutcome& outcome, bool on_the_way);

}  // namespace heddle
