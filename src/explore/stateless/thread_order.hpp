// Which of several threads is tried first, where an algorithm leaves it open.
#pragma once

#include <cstdint>

namespace heddle {

enum class ThreadOrder : std::uint8_t { Lowest, Highest };

}  // namespace heddle
