// System calls on pipes, eventfds and epolls that the program made.
#pragma once

#include <optional>

#include "program/native/syscalls.hpp"

namespace heddle::native {

// The result of a call that concerns a descriptor of the model, or makes one; nothing if it is none of these.
[[nodiscard]] std::optional<long> channel_call(const SystemCall& call);

}  // namespace heddle::native
