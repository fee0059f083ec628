// Libraries that were compiled without instrumentation and are not the system's. What they do to shared memory is not
// seen, so neither is what their steps have to do with each other: when such a library synchronises threads (libgomp
// does), no reduction can tell which schedules are equivalent.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::native {

// Looks at everything that is loaded; once, after find_system_libraries.
void find_foreign_libraries();

[[nodiscard]] bool called_from_foreign_library(std::uint64_t site) noexcept;

// Ends the search: an operation of a foreign library came up while schedules are being left out.
[[noreturn, gnu::cold]] void refuse_reduction(std::uint64_t site);
// The library for which it ended; empty if it did not.
[[nodiscard]] const std::string& refused_reduction_for() noexcept;

}  // namespace heddle::native
