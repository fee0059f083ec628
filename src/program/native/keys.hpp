// Thread-specific keys (pthread_key_*): the table of keys is the program's, the values are each thread's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "program/native/checkpoint_buffer.hpp"
#include "program/native/fibre.hpp"

namespace heddle::native {

using KeyDestructor = void (*)(void*);

// What there is now is the initial state; each restart goes back to it.
void keys_seal();
void keys_reset();

[[nodiscard]] std::size_t room_for_keys() noexcept;
[[nodiscard]] std::span<const std::byte> keys_bytes() noexcept;
void save_keys(CheckpointBuffer& buffer);
void restore_keys(CheckpointReader& reader);

// Error numbers as POSIX says.
int key_create(unsigned* key, KeyDestructor destructor);
int key_delete(unsigned key);
[[nodiscard]] void* key_get(const Fibre& fibre, unsigned key);
int key_set(Fibre& fibre, unsigned key, const void* value);
void run_key_destructors(Fibre& fibre);

}  // namespace heddle::native
