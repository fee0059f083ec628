// Semaphores that sem_open finds by name. Each execution begins without any.
#pragma once

#include <semaphore.h>

#include <array>
#include <cstdint>

namespace heddle::native {

struct NamedSemaphore {
  static constexpr std::size_t kLongestName = 251;
  std::uint32_t opened = 0;  // more often than closed
  bool linked = false;       // can be found
  std::array<char, kLongestName + 1> name{};
  sem_t semaphore{};
};

struct NamedSemaphores {
  std::array<NamedSemaphore, 16> entries{};
};

}  // namespace heddle::native
