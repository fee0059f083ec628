// Whether code belongs to the C or C++ library: those are not instrumented, and some of what they do internally must
// not count as the program's.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::native {

[[nodiscard]] bool is_system_library(std::string_view path);
void find_system_libraries();
[[nodiscard]] bool called_from_system_library(std::uint64_t site) noexcept;

}  // namespace heddle::native
