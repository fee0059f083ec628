// Where the runtime puts its own mappings: fixed windows of the address space, so that addresses repeat from run to run
// and one comparison tells whose an address is. Executables and libraries never get there by themselves.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::native {

inline constexpr std::uint64_t kPage = 4096;

// Allocations made before `main`: part of the program's initial state, tracked by page like its globals.
inline constexpr std::uint64_t kInitialHeap = 0x0800'0000'0000;
inline constexpr std::uint64_t kInitialHeapSize = 0x2'0000'0000;

// One region per thread for what an execution allocates, then one per thread for what it maps.
inline constexpr std::uint64_t kArena = 0x1000'0000'0000;
inline constexpr std::uint64_t kRegionShift = 33;
inline constexpr std::uint64_t kRegionSize = std::uint64_t{1} << kRegionShift;
inline constexpr std::uint64_t kArenaSize = 512 * kRegionSize;
inline constexpr std::uint64_t kMaps = kArena + kArenaSize;
inline constexpr std::uint64_t kMapsSize = 512 * kRegionSize;

// Stacks: one slot per thread, the usable part at its top, everything below it inaccessible.
inline constexpr std::uint64_t kStacks = 0x2000'0000'0000;
inline constexpr std::uint64_t kStackSlot = 0x400'0000;
inline constexpr std::uint64_t kStackSize = 0x80'0000;

// The runtime's own: heap, state of the arena's bytes, history of memory accesses.
inline constexpr std::uint64_t kRuntimeHeap = 0x3000'0000'0000;
// What the runtime keeps about threads: frames on their stacks point there, and these belong to states that are
// compared with those of an earlier process when a search goes on from a checkpoint.
inline constexpr std::uint64_t kThreads = 0x3400'0000'0000;
inline constexpr std::uint64_t kPoison = 0x3800'0000'0000;  // one byte per 8 bytes of [kInitialHeap, kMaps)
inline constexpr std::uint64_t kShadow = 0x4000'0000'0000;
inline constexpr std::uint64_t kRuntimeEnd = 0x5000'0000'0000;

[[nodiscard]] inline bool runtime_owns(std::uint64_t address) noexcept {
  return address >= kArena && address < kRuntimeEnd;
}

// Reserves a window without committing memory to it; false if the address space does not allow it.
[[nodiscard]] bool reserve(std::uint64_t address, std::uint64_t size) noexcept;

}  // namespace heddle::native
