// Thread-local storage of fibres: each thread of the program has its own block, so that `thread_local`, errno and the
// C++ library's per-thread state are right, and the address of a thread-local variable names one thread's variable.
#pragma once

#include <cstdint>

namespace heddle::native {

// Looks at the main thread's block; called once, before the snapshot.
void tls_prepare();

[[nodiscard]] std::uint64_t tls_current_base() noexcept;
// Puts a base in force.
void tls_use(std::uint64_t base) noexcept;

// The block of a thread (by number, from 1 on): initialised as for a new thread. Blocks are kept and used again.
[[nodiscard]] std::uint64_t tls_fresh_block(std::uint16_t thread);

}  // namespace heddle::native
