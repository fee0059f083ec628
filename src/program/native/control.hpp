// On whose behalf code in this process is running.
#pragma once

#include <cstdint>

namespace heddle::native {

enum class Control : std::uint8_t {
  None,        // the program runs by itself: it was not started by `heddle check`
  BeforeMain,  // it was, and its static objects are being constructed
  Program,     // it runs on a fibre
  Runtime,     // the search, the scheduler, or libc called by them
};

[[nodiscard]] Control control() noexcept;
// The snapshot is being taken: from here on code outside fibres is the runtime's.
void control_begins() noexcept;

}  // namespace heddle::native
