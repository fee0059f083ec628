// Putting the program's memory back, instead of forking: at the snapshot all writable memory of the program and its
// libraries is write-protected once; the first write to a page faults, and from then on that page is among those copied
// back at each restart. What is never written is never copied.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "program/native/checkpoint_buffer.hpp"

namespace heddle::native {

struct TrackedRange {
  std::uint64_t begin;
  std::uint64_t end;
};

// Takes the snapshot. `track_by_page` false: every range is copied whole at each restart (when the kernel writes to
// program memory behind our back and we would not notice). The original stack from `stack_from` upwards is the
// program's; 0 if none of it is.
void take_snapshot(bool track_by_page, std::uint64_t stack_from);
void restore_snapshot() noexcept;

// For checkpoints: the pages written so far in any execution, as they are now. Not before it is settled which pages
// these are, except that there may be more later: those are then as the snapshot has them.
[[nodiscard]] bool pages_settled() noexcept;
void settle_pages() noexcept;
[[nodiscard]] std::size_t room_for_pages() noexcept;
void save_pages(CheckpointBuffer& buffer);
void restore_pages(CheckpointReader& reader);

// For searches over states, where more is kept and compared: only what is not as in the snapshot, in pieces smaller
// than a page. Pieces are numbered by address, the same in all processes forked from this one.
inline constexpr std::size_t kChunk = 256;
void for_each_changed_chunk(const std::function<void(std::uint32_t number, const void* bytes)>& visit);
void save_changed_chunks(CheckpointBuffer& buffer);
void restore_changed_chunks(CheckpointReader& reader);

[[nodiscard]] std::span<const TrackedRange> tracked_ranges();

// A write fault at this address: true if it was the first write to a tracked page, which is writable now.
[[nodiscard]] bool first_write(std::uint64_t address) noexcept;

// The kernel is about to write here: makes tracked pages writable, since it would refuse instead of faulting. Whether
// any of it is tracked memory.
bool expect_write(std::uint64_t address, std::uint64_t size) noexcept;

// Memory that belongs to the process but cannot be put back (shared mappings), if there is any: its name.
[[nodiscard]] const char* unrestorable_memory();

}  // namespace heddle::native
