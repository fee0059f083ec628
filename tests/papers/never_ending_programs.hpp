// Programs that never end and have few states, and twins of them that are broken.
#pragma once

#include "program/toy/toy_code.hpp"

namespace heddle::papers {

// Peterson's lock for n threads (as he generalised it), each in an endless loop: enter, check that nobody else is in,
// leave. Unfair: a thread waits for the others to leave and never gives way, so all wait for each other.
[[nodiscard]] toy::ToyCode peterson(std::uint32_t threads, bool unfair = false);
// A token goes round; who has it passes it on. Lost: the last thread passes it to nobody, and all look for it for ever.
[[nodiscard]] toy::ToyCode token_ring(std::uint32_t threads, bool lost = false);
// One producer and one consumer with a buffer of one item. Unbounded: the producer does not wait for room.
[[nodiscard]] toy::ToyCode producer_consumer(bool unbounded = false);
// A server answers requests of n clients, one at a time. Unlocked: clients do not wait for each other's answer.
[[nodiscard]] toy::ToyCode server(std::uint32_t clients, bool unlocked = false);

}  // namespace heddle::papers
