#include "program/native/locks.hpp"

#include <algorithm>

#include "program/native/runtime.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/time.hpp"

namespace heddle::native {

void take_mutex(Fibre& fibre, Mutex& mutex, std::uint64_t site) {
  mutex.lock = 1;
  mutex.owner = fibre.id.value + 1;
  mutex.count = 0;
  add_held(fibre, reinterpret_cast<std::uint64_t>(&mutex), HeldKind::Mutex, site);
}

void drop_mutex(Fibre& fibre, Mutex& mutex) {
  remove_held(fibre, reinterpret_cast<std::uint64_t>(&mutex), HeldKind::Mutex);
  mutex.lock = 0;
  mutex.owner = 0;
  release(fibre, reinterpret_cast<std::uint64_t>(&mutex));
}

void add_held(Fibre& fibre, std::uint64_t object, HeldKind kind, std::uint64_t site) {
  fibre.held.push_back({object, site, kind});
}

bool remove_held(Fibre& fibre, std::uint64_t object, HeldKind kind) {
  const auto it = std::find_if(fibre.held.rbegin(), fibre.held.rend(),
                               [&](const HeldLock& held) { return held.object == object && held.kind == kind; });
  if (it == fibre.held.rend()) return false;
  fibre.held.erase(it.base() - 1);
  return true;
}

void set_deadline(Fibre& fibre, clockid_t clock, const timespec* until) {
  fibre.timed = until != nullptr;
  if (until != nullptr) fibre.deadline = moment(clock, *until);
}

void reach_deadline(Fibre& fibre) {
  ++fibre.timeouts;
  move_time(fibre, fibre.deadline);
}

void misuse(const char* sentence, std::uint64_t site) { fail(FindingKind::LockMisuse, sentence, site); }

}  // namespace heddle::native
