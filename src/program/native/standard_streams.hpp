// std::cout and its kin. Several threads may use them at once, and that is no data race ([iostream.objects.overview]),
// whatever their implementation does.
#pragma once

#include <cstdint>

namespace heddle::native {

// One of libstdc++'s four for text.
[[nodiscard]] bool is_standard_stream(const void* stream);
// Whether memory is part of one of libc++'s, whose headers write to them from the program's code.
[[nodiscard]] bool in_standard_stream(std::uint64_t address);

}  // namespace heddle::native
