// Whose stacks only their own threads look at, as far as has been seen. What a thread writes there nobody else can
// notice: a loop that counts or sets variables of its own to and fro, as a compare-exchange does with what it expected,
// may still be one in which nothing happens (explore/stateful/livelock.hpp), for searches over states, where such
// writes are steps. And nobody can come too late for what is there when the thread ends (stack_check.hpp).
#pragma once

#include <algorithm>
#include <cstdint>

#include "program/native/layout.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {

// A thread is about to access this memory.
inline void note_stack_access(const Fibre& fibre, std::uint64_t address) noexcept {
  const std::uint64_t owner = (address - kStacks) / kStackSlot;
  if (address < kStacks || owner >= rt.thread_count || owner == fibre.id.value) return;
  Fibre& other = *rt.fibres[owner];
  other.stack_shared = true;
  other.shared_from = std::min(other.shared_from, address);
}

[[nodiscard]] inline bool is_private(const Fibre& fibre, std::uint64_t address) noexcept {
  return !fibre.stack_shared && address >= kStacks && (address - kStacks) / kStackSlot == fibre.id.value;
}

}  // namespace heddle::native
