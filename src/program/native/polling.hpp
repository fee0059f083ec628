// poll, select and epoll on descriptors of the model.
#pragma once

#include <cstdint>
#include <optional>

#include "model/operation.hpp"
#include "program/native/channels.hpp"
#include "program/native/syscalls.hpp"

namespace heddle::native {

// What a descriptor number stands for; null if the model does not have it.
[[nodiscard]] Descriptor* modelled(std::uint64_t number);

// A new epoll under a number that is held already.
long make_epoll(const SystemCall& call, int number);
// A descriptor is closed: no epoll watches it any more.
void forget_watched(int number);

// The result of a call that waits for descriptors or says which; nothing if it is none.
[[nodiscard]] std::optional<long> polling_call(const SystemCall& call);

// Whether a pending Poll, or ChannelLook of one descriptor, has something to say.
[[nodiscard]] bool poll_ready(const Operation& pending) noexcept;

}  // namespace heddle::native
