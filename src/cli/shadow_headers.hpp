// Headers of the C++ library that programs are compiled with changed copies of.
#pragma once

#include <string>
#include <vector>

namespace heddle {

// The directory with the changed headers for a compiler (with its arguments); empty if its library has none.
[[nodiscard]] std::string shadow_directory(const std::vector<std::string>& compiler);

}  // namespace heddle
