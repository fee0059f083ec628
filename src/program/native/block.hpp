// Heap blocks: the header in front of each, the state of its bytes, and which blocks are still reachable.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "program/native/layout.hpp"
#include "program/native/snapshot.hpp"

namespace heddle::native {

// In front of each block; forbidden to the program like the redzone behind it.
struct BlockHeader {
  static constexpr std::uint32_t kLive = 0x4C495645;
  static constexpr std::uint32_t kFreed = 0x46524545;
  std::uint64_t size;  // as asked for
  std::uint64_t capacity;
  std::uint64_t site;  // of the allocation
  std::uint32_t magic;
  std::uint32_t unused;
  BlockHeader* next_free;  // in reuse mode, while free
  std::uint64_t unused2;

  [[nodiscard]] std::uint64_t address() const noexcept { return reinterpret_cast<std::uint64_t>(this) + sizeof(*this); }
};
static_assert(sizeof(BlockHeader) == 48);

inline constexpr std::uint64_t kRedzone = 16;

inline BlockHeader* header_of(std::uint64_t address) noexcept {
  return reinterpret_cast<BlockHeader*>(address - sizeof(BlockHeader));
}

// State of 8 bytes: 0 all may be accessed, 1..7 that many from the first, else none.
inline constexpr std::uint8_t kPoisonRedzone = 0xFA;
inline constexpr std::uint8_t kPoisonFreed = 0xFD;

inline std::uint8_t* poison_byte(std::uint64_t address) noexcept {
  return reinterpret_cast<std::uint8_t*>(kPoison + (address - kInitialHeap) / 8);
}

// How many bytes say the state of so many.
inline std::uint64_t poison_size(std::uint64_t size) noexcept { return (size + 7) / 8; }

inline std::size_t size_class(std::uint64_t size) noexcept {
  return static_cast<std::size_t>(std::countr_zero(std::bit_ceil(size < 16 ? std::uint64_t{16} : size)));
}

inline std::uint64_t hash_block(std::uint64_t address) noexcept {
  const std::uint64_t h = address * 0x9E3779B97F4A7C15U;
  return h ^ (h >> 29U);
}

struct LiveBlock {
  std::uint64_t address;
  std::uint64_t size;
  std::uint64_t site;
  bool reached = false;
};

// Blocks that have not been freed, in [begin, end) of a region.
void collect_live(std::uint64_t begin, std::uint64_t end, std::vector<LiveBlock>& blocks);

// The first block that no word of the program's globals, of these further ranges, or of a reached block points into.
const LiveBlock* first_unreachable(std::vector<LiveBlock>& blocks, const std::vector<TrackedRange>& further);

}  // namespace heddle::native
