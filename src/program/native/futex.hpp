// Futexes, from wherever they come: atomic wait and notify, libc's own locks, libraries that were not instrumented.
#pragma once

#include <cstdint>

namespace heddle::native {

// The futex system call; the result as the kernel returns it (negative error numbers).
long futex(std::uint64_t address, int operation, std::uint32_t value, const void* timeout, std::uint64_t address2,
           std::uint32_t value3, std::uint64_t site);

}  // namespace heddle::native
