// The program's heap: one region per thread, so that an address depends only on the allocating thread's own history and
// equivalent executions have identical addresses. Blocks are surrounded by bytes that no access may touch, and freed
// blocks are kept out of use (quarantine) or used again last freed first (reuse).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "program/native/checkpoint_buffer.hpp"

namespace heddle::native {

void arena_prepare();
// An execution begins: everything it allocated is gone, everything from before main is as it was.
void arena_reset();
// From here on allocations belong to executions; what there is now is the initial state.
void arena_seal();
// End of what was allocated before main, rounded up to pages.
[[nodiscard]] std::uint64_t arena_initial_end();

// The allocation functions, as the C standard has them; a null pointer when there is no memory.
[[nodiscard]] void* arena_allocate(std::size_t size, std::size_t alignment, std::uint64_t site);
[[nodiscard]] void* arena_reallocate(void* block, std::size_t size, std::uint64_t site);
void arena_free(void* block, std::uint64_t site);
[[nodiscard]] std::size_t arena_usable_size(const void* block);
// Size of the block that begins there, if it is one in use; otherwise 0.
[[nodiscard]] std::size_t arena_live_size(const void* block);
// The freed block that the current thread's next allocation of this kind would be; null if it would be new memory.
[[nodiscard]] const void* arena_reused(std::size_t size, std::size_t alignment);
[[nodiscard]] bool in_arena(const void* pointer) noexcept;

// Checks an access against the blocks' bounds and life; fails the execution if it is wrong.
void heap_check(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site);

struct Leak {
  std::uint64_t address;
  std::uint64_t size;
  std::uint64_t site;  // of the allocation
};
// A block that nothing points to any more, at the normal end of an execution; at most one is named.
[[nodiscard]] std::optional<Leak> find_leak();

// For checkpoints: all that this execution has allocated, and what it has freed of what was there before main.
[[nodiscard]] std::size_t room_for_arena() noexcept;
void save_arena(CheckpointBuffer& buffer);
// `threads`: how many had been met when it was saved.
void restore_arena(CheckpointReader& reader, std::size_t threads);

// For comparing states: what a thread's region holds, its lists of free blocks, and the state of what was allocated
// before main, if any of that was freed.
struct ArenaBytes {
  const void* address;
  std::size_t size;
};
[[nodiscard]] ArenaBytes region_bytes(std::size_t thread) noexcept;
[[nodiscard]] ArenaBytes region_lists(std::size_t thread) noexcept;
[[nodiscard]] ArenaBytes initial_heap_state() noexcept;

// Address space for a mapping the current thread asks for, reproducible like its allocations.
[[nodiscard]] std::uint64_t map_address(std::uint64_t length);

}  // namespace heddle::native
