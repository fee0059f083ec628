// What libc does to memory on behalf of the program: accesses of the program like any other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/native/accesses.hpp"
#include "program/native/tls.hpp"

namespace heddle::native {

// Copies inside the runtime (its C++ library's, say) are nobody's accesses; thread-local storage of the program's
// threads lies in the runtime's heap too, but is theirs.
inline bool watched(const void* memory) {
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  return rt.inside && (address < kRuntimeHeap || address >= kRuntimeEnd || tls_contains(address));
}

inline void library_access(const void* memory, std::size_t size, bool write, std::uint64_t site) {
  if (size == 0 || !watched(memory)) return;
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  await_plain(address, size, write);
  if (!rt.checked) inspect(address, size, write, site);
}
inline void reads(const void* from, std::size_t size, std::uint64_t site) { library_access(from, size, false, site); }
inline void writes(void* to, std::size_t size, std::uint64_t site) { library_access(to, size, true, site); }

// When all accesses are visible, a function that reads and writes whole ranges is one operation on everything: it must
// look at memory only after it was chosen.
inline void announce(const void* memory, std::uint64_t site) {
  if (rt.settings.visible_all && watched(memory)) {
    reach({.kind = OpKind::Unknown, .object = reinterpret_cast<std::uint64_t>(memory), .site = site});
  }
}

}  // namespace heddle::native
