// Plain accesses when all of them are visible. They are here, and not with the entries that call them, because this
// file is compiled as those are where threads wait: the stack is cleared when they return (runtime_entry_x86_64.cpp).
#include "program/native/accesses.hpp"

namespace heddle::native {

void visible_access(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site) {
  visit(address, size, write, site);
  inspect_unless_declared(address, size, write, site);
}

void vptr_access(void** address, void* value, std::uint64_t site) {
  const std::uint64_t at = reinterpret_cast<std::uint64_t>(address);
  if (*address != value) await_write(at, sizeof value);
  visit(at, sizeof value, true, site);
  if (*address != value) inspect(at, sizeof value, true, site);
}

}  // namespace heddle::native
