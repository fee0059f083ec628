// Whose stacks only their own threads look at, as far as has been seen. What a thread writes there nobody else can
// notice: a loop that counts or sets variables of its own to and fro, as a compare-exchange does with what it expected,
// may still be one in which nothing happens (explore/stateful/livelock.hpp), for searches over states, where such
// writes are steps. And nobody can come too late for what is there when the thread ends (stack_check.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "program/native/layout.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {

// From which address up another thread has accessed the stack of each, in some execution; of no use when a search goes
// back. Processes that search together share it, so that they judge alike.
inline constexpr std::uint64_t kNotShared = ~std::uint64_t{0};
extern std::uint64_t* shared_stacks;
void prepare_private_stacks();

[[nodiscard]] inline std::uint64_t shared_from(ThreadId thread) noexcept {
  return std::atomic_ref(shared_stacks[thread.value]).load(std::memory_order_relaxed);
}
inline void share_stack_from(ThreadId thread, std::uint64_t address) noexcept {
  if (address < shared_from(thread)) {
    std::atomic_ref(shared_stacks[thread.value]).store(address, std::memory_order_relaxed);
  }
}

// A thread is about to access this memory.
inline void note_stack_access(const Fibre& fibre, std::uint64_t address) noexcept {
  const std::uint64_t owner = (address - kStacks) / kStackSlot;
  if (address < kStacks || owner >= rt.thread_count || owner == fibre.id.value) return;
  share_stack_from(ThreadId{static_cast<std::uint16_t>(owner)}, address);
}

[[nodiscard]] inline bool is_private(const Fibre& fibre, std::uint64_t address) noexcept {
  return shared_from(fibre.id) == kNotShared && address >= kStacks &&
         (address - kStacks) / kStackSlot == fibre.id.value;
}

}  // namespace heddle::native
