// Writing a result so that nobody ever sees half of it.
#pragma once

#include <string>

#include "report/result.hpp"

namespace heddle {

// Throws UserError if a result could not be written there; better found out before a search than after it.
void check_result_file(const std::string& path);
void write_result_file(const std::string& path, const Result& result);

}  // namespace heddle
