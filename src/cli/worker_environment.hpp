// What a program's environment needs so that it starts as a worker.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "worker/configuration.hpp"

namespace heddle {

[[nodiscard]] std::vector<std::pair<std::string, std::string>> worker_environment(
    const WorkerConfiguration& configuration);

// Shared memory for the board, as a descriptor that a started program inherits.
[[nodiscard]] int create_board();

}  // namespace heddle
