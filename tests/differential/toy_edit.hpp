// Questions about toy programs, and small changes to them that keep them well formed: what the generator, the shrinker
// and the C emitter share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/toy/toy_code.hpp"

namespace heddle::differential {

[[nodiscard]] bool visible(toy::Code code);
// Visible operations in the text of the program; a wait and a barrier count twice, as they are two events.
[[nodiscard]] std::size_t visible_operations(const toy::Thread& thread);
[[nodiscard]] std::size_t visible_operations(const toy::ToyCode& code);

// Whether the differential tests may run it: all references exist, every jump goes forward (so every execution ends),
// no thread is created at two places, and only by threads of a lower number.
[[nodiscard]] bool well_formed(const toy::ToyCode& code);

// Whether some instruction creates the thread.
[[nodiscard]] bool is_created(const toy::ToyCode& code, std::uint32_t thread);
// Whether the creation of `target` surely is over, so that C would have its handle, when `thread` comes to its
// instruction `position`. What `target` itself creates cannot be sure of that: it may run before the creator goes on.
// Threads that nobody creates count as created in the order of their numbers, since that is what C's main will do.
[[nodiscard]] bool created_before(const toy::ToyCode& code, std::uint32_t target, std::uint32_t thread,
                                  std::size_t position);

// Jumps keep the instruction they go to; a jump to an instruction that is removed goes to the one behind it.
void insert_at(toy::Thread& thread, std::size_t position, const toy::Instruction& instruction);
void remove_at(toy::Thread& thread, std::size_t position);
// Threads above it move down; creations and joins of it go too.
void remove_thread(toy::ToyCode& code, std::uint32_t thread);

}  // namespace heddle::differential
