// Data races by happens-before, exact at byte granularity: every plain access is compared with the accesses to the same
// bytes that it is not ordered after. See race_check.cpp for what is remembered.
#pragma once

#include <cstdint>

namespace heddle::native {

enum class Access : std::uint8_t { Read = 0, Write = 1, AtomicRead = 2, AtomicWrite = 3 };

void race_check_reset() noexcept;

// An access by the current thread; fails the execution if it races. `site`: for telling defects apart.
void race_check(std::uint64_t address, std::uint64_t size, Access access, std::uint64_t site);

// Whether some access to these bytes is not ordered before now: then freeing them races with it. Returns the first such
// byte, or 0.
[[nodiscard]] std::uint64_t unordered_access(std::uint64_t address, std::uint64_t size) noexcept;

// These bytes are another object from now on.
void race_check_forget(std::uint64_t address, std::uint64_t size) noexcept;

}  // namespace heddle::native
