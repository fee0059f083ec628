// Names for places inside a global variable: which member of a structure, which element of an array.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

// What lies `offset` bytes into the variable at `address` (of the process): ".queue.head", "[3].lock", or "" for the
// variable as a whole. Nothing if the debugging information does not know the variable. Members of the library's own
// types (their names begin with an underscore) are not gone into: an atomic is an atomic.
[[nodiscard]] std::optional<std::string> member_name(Dwfl_Module* module, std::uint64_t address, std::uint64_t offset);

}  // namespace heddle
