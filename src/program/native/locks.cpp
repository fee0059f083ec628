#include "program/native/locks.hpp"

#include <algorithm>

#include "program/native/runtime.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/time.hpp"

namespace heddle::native {

bool remove_held_below(Fibre& fibre, std::uint64_t object, HeldKind kind) {
  const auto it = std::find_if(fibre.held.rbegin(), fibre.held.rend(),
                               [&](const HeldLock& held) { return held.object == object && held.kind == kind; });
  if (it == fibre.held.rend()) return false;
  fibre.held.erase(it.base() - 1);
  return true;
}

void reach_deadline(Fibre& fibre) {
  ++fibre.timeouts;
  move_time(fibre, fibre.deadline);
}

void misuse(const char* sentence, std::uint64_t site) { fail(FindingKind::LockMisuse, sentence, site); }

}  // namespace heddle::native
