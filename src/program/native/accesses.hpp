// What every memory access of the program goes through: bounds and life of heap blocks, data races, and, when all
// accesses are visible, the scheduler.
#pragma once

#include <cstdint>

#include "program/native/arena.hpp"
#include "program/native/layout.hpp"
#include "program/native/race_check.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {

inline void check_heap(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site) {
  if (address - kInitialHeap < kMaps - kInitialHeap) heap_check(address, size, write, site);
}

// A plain access by the program, just before it happens.
inline void plain_access(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site) {
  if (!rt.inside || size == 0) return;
  if (__builtin_expect(rt.settings.visible_all, 0)) {
    reach({.kind = write ? OpKind::Store : OpKind::Load,
           .order = 0,
           .plain = true,
           .size = static_cast<std::uint32_t>(size),
           .object = address,
           .site = site});
  }
  check_heap(address, size, write, site);
  race_check(address, size, write ? Access::Write : Access::Read, site);
}

}  // namespace heddle::native
