// Thread-local storage of fibres: each thread of the program has its own block, so that `thread_local`, errno and the
// C++ library's per-thread state are right, and the address of a thread-local variable names one thread's variable.
#pragma once

#include <cstdint>

#include "program/native/checkpoint_buffer.hpp"

namespace heddle::native {

// Looks at the main thread's block; called once, before the snapshot.
void tls_prepare();

[[nodiscard]] std::uint64_t tls_current_base() noexcept;
// Whether programs may set the base themselves; otherwise it takes a system call.
extern bool tls_direct;
void tls_use_by_system_call(std::uint64_t base) noexcept;

// Puts a base in force.
inline void tls_use(std::uint64_t base) noexcept {
  if (tls_direct) {
    asm volatile("wrfsbase %0" : : "r"(base) : "memory");
  } else {
    tls_use_by_system_call(base);
  }
}

// The block of a thread (by number, from 1 on): initialised as for a new thread. Blocks are kept and used again.
[[nodiscard]] std::uint64_t tls_fresh_block(std::uint16_t thread);

// For checkpoints: what a fresh block is initialised with, as it is now. Not possible once a library was loaded that
// has thread-local variables of its own.
[[nodiscard]] bool tls_as_initialised(std::uint16_t thread) noexcept;
[[nodiscard]] std::size_t room_for_tls() noexcept;
[[nodiscard]] std::uint64_t tls_begin(std::uint16_t thread) noexcept;  // of so many bytes
// How much of that belongs to a state that is compared.
[[nodiscard]] std::size_t compared_tls() noexcept;
void save_tls(CheckpointBuffer& buffer, std::uint16_t thread);
void restore_tls(CheckpointReader& reader, std::uint16_t thread);

// Whether an address lies in the block of some thread (from number 1 on).
[[nodiscard]] bool tls_contains(std::uint64_t address) noexcept;

}  // namespace heddle::native
