// Signals that the program sends to itself, as the model keeps them.
#pragma once

#include <array>
#include <cstdint>

#include "base/ids.hpp"
#include "model/operation.hpp"

namespace heddle::native {

struct SignalAction {
  std::uint64_t handler = 0;  // 0 default, 1 ignored
  std::uint64_t flags = 0;
  std::uint64_t mask = 0;
};

// Sets of signals have bit n - 1 for signal n.
struct SignalState {
  std::uint64_t process_pending = 0;
  std::array<std::uint64_t, kMaxThreads> pending{};
  std::array<std::uint64_t, kMaxThreads> blocked{};
  std::array<SignalAction, 65> actions{};
};

}  // namespace heddle::native
