// How often atomics were notified, for libc++'s waits on atomics that are not of 32 bits. A count is found by the
// atomic's address and may stand for several atomics.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::native {

struct LibcxxWaits {
  std::array<std::uint32_t, 1024> counts{};
};

}  // namespace heddle::native
