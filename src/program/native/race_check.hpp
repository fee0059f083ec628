// Data races by happens-before, exact at byte granularity: every plain access is compared with the accesses to the same
// bytes that it is not ordered after. See race_check.cpp for what is remembered.
#pragma once

#include <cstdint>

#include "program/native/runtime.hpp"

namespace heddle::native {

enum class Access : std::uint8_t { Read = 0, Write = 1, AtomicRead = 2, AtomicWrite = 3 };

// Forgets all accesses. `numbers_again`: see undo_log_reset.
void race_check_reset(bool numbers_again) noexcept;

// An access by the current thread; fails the execution if it races. `site`: for telling defects apart.
void check_for_races(std::uint64_t address, std::uint64_t size, Access access, std::uint64_t site);
inline void race_check(std::uint64_t address, std::uint64_t size, Access access, std::uint64_t site) {
  if (!rt.checked && !rt.unwatched) check_for_races(address, size, access, site);
}

// Whether some access to these bytes is not ordered before now: then freeing them races with it. Returns the first such
// byte, or 0.
[[nodiscard]] std::uint64_t unordered_access(std::uint64_t address, std::uint64_t size) noexcept;

// These bytes are another object from now on.
void race_check_forget(std::uint64_t address, std::uint64_t size) noexcept;

// Of all that is remembered, to compare two ways that should lead to the same.
[[nodiscard]] std::uint64_t race_check_fingerprint() noexcept;

}  // namespace heddle::native
