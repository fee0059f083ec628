// What has been found out about the program while it was searched, for a checkpoint: which number each thread has,
// which loops wait, what the coverage statement has to say.
#pragma once

#include <string>

#include "base/archive.hpp"

namespace heddle {

// Written down, or read back before the program is first started. `modules`: what was loaded where when the worker
// began, as text. False if that was otherwise: operations are then not those that were written down.
[[nodiscard]] bool archive_known_program(Archive& archive, const std::string& modules);

}  // namespace heddle
