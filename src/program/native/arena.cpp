#include "program/native/arena.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "base/contract.hpp"
#include "program/native/await.hpp"
#include "program/native/block.hpp"
#include "program/native/layout.hpp"
#include "program/native/race_check.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/system_library.hpp"

namespace heddle::native {
namespace {

constexpr std::uint64_t kKeptDirty = 0x40'0000;  // a region used up to here is cleared as it is used, beyond it at once

struct Region {
  std::uint64_t begin = 0;
  std::uint64_t next = 0;   // everything below is in blocks
  std::uint64_t dirty = 0;  // bytes below may be left over from an earlier execution
  std::uint64_t limit = 0;
  std::uint64_t next_map = 0;
  std::array<BlockHeader*, 48> free_lists{};  // reuse mode: by size class

  [[nodiscard]] std::uint64_t used() const noexcept { return next - begin; }
};

struct Arena {
  Region initial;  // allocations before main
  bool sealed = false;
  std::vector<std::uint8_t> initial_poison;
  bool initial_changed = false;  // this execution freed a block that was allocated before main
  std::array<Region, kMaxThreads> regions;
  std::uint64_t allocated = 0;  // by this execution
  std::uint64_t live_hash = 0;  // of the blocks this execution allocated and has not freed
  std::uint64_t live = 0;
  std::vector<std::uint64_t> judged;  // sets of live blocks already searched for leaks, by hash
};
Arena arena;

Region& current_region() {
  if (!arena.sealed) return arena.initial;
  return arena.regions[rt.current->id.value];
}

BlockHeader* first_free(const Region& region, std::uint64_t size, std::uint64_t alignment) {
  return rt.settings.reuse_heap && alignment <= 16 ? region.free_lists[size_class(size)] : nullptr;
}

BlockHeader* take_free(Region& region, std::uint64_t size, std::uint64_t alignment) {
  BlockHeader* header = first_free(region, size, alignment);
  if (header == nullptr) return nullptr;
  region.free_lists[size_class(size)] = header->next_free;
  header->next_free = nullptr;
  return header;
}

// Sets the bytes' state; see block.hpp.
void poison(std::uint64_t address, std::uint64_t size, std::uint8_t state) {
  std::uint8_t* bytes = poison_byte(address);
  const std::uint64_t count = poison_size(size);
  if (count > 16) {
    std::memset(bytes, state, count);
  } else {  // most blocks are small, and a call costs more than this
    for (std::uint64_t i = 0; i < count; ++i) bytes[i] = state;
  }
}

void* make_live(BlockHeader* header, std::uint64_t size, std::uint64_t site) {
  header->size = size;
  header->magic = BlockHeader::kLive;
  header->site = site;
  const std::uint64_t address = header->address();
  poison(address, size, 0);
  if (size % 8 != 0) *poison_byte(address + size) = static_cast<std::uint8_t>(size % 8);
  if (arena.sealed) {
    arena.allocated += size;
    arena.live_hash ^= hash_block(address);
    ++arena.live;
  }
  return reinterpret_cast<void*>(address);
}

[[noreturn]] void bad_free(std::uint64_t address, const BlockHeader* header, std::uint64_t site) {
  rt.fault_address = address;
  if (header != nullptr && header->magic == BlockHeader::kFreed) {
    fail(FindingKind::DoubleFree, "a block that was already freed is freed again", site);
  }
  fail(FindingKind::DoubleFree, "an address is freed that no allocation function returned", site);
}

}  // namespace

bool in_arena(const void* pointer) noexcept {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  return address >= kInitialHeap && address < kMaps;
}

void arena_prepare() {
  HEDDLE_REQUIRE(reserve(kInitialHeap, kInitialHeapSize), "cannot reserve address space for the heap before main");
  HEDDLE_REQUIRE(reserve(kArena, kArenaSize), "cannot reserve address space for the heap (is there a limit on it?)");
  HEDDLE_REQUIRE(reserve(kPoison, (kMaps - kInitialHeap) / 8), "cannot reserve address space for the heap's state");
  HEDDLE_REQUIRE(reserve(kStacks, kMaxThreads * kStackSlot), "cannot reserve address space for stacks");
  arena.initial = {
      .begin = kInitialHeap, .next = kInitialHeap, .dirty = kInitialHeap, .limit = kInitialHeap + kInitialHeapSize};
  for (std::size_t i = 0; i < kMaxThreads; ++i) {
    Region& region = arena.regions[i];
    region.begin = region.next = region.dirty = kArena + i * kRegionSize;
    region.limit = region.begin + kRegionSize;
    region.next_map = kMaps + i * kRegionSize;
  }
}

void arena_seal() {
  // The first block of an execution starts on a page of its own: pages of the initial heap are tracked.
  arena.sealed = true;
  const std::uint8_t* first = poison_byte(kInitialHeap);
  arena.initial_poison.assign(first, first + (arena.initial.next - kInitialHeap + 7) / 8);
}

std::uint64_t arena_initial_end() { return (arena.initial.next + kPage - 1) & ~(kPage - 1); }

void arena_reset() {
  if (arena.initial_changed) {
    std::copy(arena.initial_poison.begin(), arena.initial_poison.end(), poison_byte(kInitialHeap));
    arena.initial_changed = false;
  }
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    Region& region = arena.regions[i];
    region.next_map = kMaps + i * kRegionSize;
    if (rt.settings.reuse_heap) region.free_lists.fill(nullptr);  // also of others' blocks
    if (region.next == region.begin) continue;
    region.dirty = std::max(region.dirty, region.next);
    if (region.dirty - region.begin > kKeptDirty) {
      raw_syscall(SYS_madvise, region.begin, region.dirty - region.begin, MADV_DONTNEED);
      region.dirty = region.begin;
    }
    region.next = region.begin;
  }
  arena.allocated = arena.live_hash = arena.live = 0;
}

void* arena_allocate(std::size_t size, std::size_t alignment, std::uint64_t site) {
  await_effect();
  if (size > rt.settings.heap_limit) return nullptr;  // as malloc does with absurd sizes
  Region& region = current_region();
  if (BlockHeader* header = take_free(region, size, alignment)) {
    std::memset(reinterpret_cast<void*>(header->address()), 0, header->capacity);
    race_check_forget(header->address(), header->capacity);
    sync_clocks_forget(header->address(), header->capacity);
    return make_live(header, size, site);
  }
  alignment = std::max<std::size_t>(alignment, 16);
  // In reuse mode blocks of a class are interchangeable, so each has the whole class's room.
  const std::uint64_t capacity = rt.settings.reuse_heap ? std::uint64_t{1} << size_class(size) : (size + 15) & ~15U;
  const std::uint64_t address = (region.next + sizeof(BlockHeader) + alignment - 1) & ~(alignment - 1);
  const std::uint64_t end = address + std::max<std::uint64_t>(capacity, 16) + kRedzone;
  if (end > region.limit) return nullptr;
  if (arena.sealed && arena.allocated + size > rt.settings.heap_limit) {
    refuse(Refusal::Limit, "one execution allocates more than " + std::to_string(rt.settings.heap_limit >> 20U) +
                               " MiB of heap (--heap-limit raises the limit)");
  }
  if (region.next < region.dirty) {
    std::memset(reinterpret_cast<void*>(region.next), 0, std::min(end, region.dirty) - region.next);
  }
  poison(region.next & ~std::uint64_t{7}, address - region.next, kPoisonRedzone);
  poison(address, end - address, kPoisonRedzone);
  region.next = end;
  auto* header = reinterpret_cast<BlockHeader*>(address - sizeof(BlockHeader));
  header->capacity = end - kRedzone - address;
  void* block = make_live(header, size, site);
  if (__builtin_expect(rt.recording && rt.inside, 0)) record_touch(address, size, "allocation");
  return block;
}

void arena_free(void* block, std::uint64_t site) {
  await_effect();
  if (block == nullptr) return;
  const auto address = reinterpret_cast<std::uint64_t>(block);
  BlockHeader* header = header_of(address);
  const bool aligned = address % 16 == 0;
  if (!aligned || header->magic != BlockHeader::kLive) {
    // Outside executions there is nobody to tell; libc would abort.
    if (rt.inside) bad_free(address, aligned ? header : nullptr, site);
    return;
  }
  if (rt.inside) {
    if (__builtin_expect(rt.recording, 0)) record_touch(address, header->size, "free");
    // The C++ library counts the owners of exceptions with atomics of its own, which are not seen: its frees are taken
    // to be ordered.
    const std::uint64_t racing =
        rt.checked || called_from_system_library(site) ? 0 : unordered_access(address, header->size);
    if (racing != 0) {
      rt.fault_address = racing;
      fail(FindingKind::UseAfterFree,
           "a block is freed while another thread's access to it is not ordered before: it may come after the free",
           site);
    }
  }
  header->magic = BlockHeader::kFreed;
  if (address < kArena) arena.initial_changed = true;
  poison(address, header->size, kPoisonFreed);
  if (!arena.sealed) return;
  if (address >= kArena) {
    arena.live_hash ^= hash_block(address);
    --arena.live;
  }
  if (rt.settings.stateful) {
    // What was in it, and whence it came, has no say any more.
    std::memset(block, 0, header->capacity);
    header->size = header->site = 0;
  }
  if (rt.settings.reuse_heap && rt.current != nullptr && address >= kArena) {
    // To the list of the thread that frees: which block it gets next then depends on its own history only.
    BlockHeader*& list = current_region().free_lists[size_class(header->capacity)];
    header->next_free = list;
    list = header;
  }
}

void* arena_reallocate(void* block, std::size_t size, std::uint64_t site) {
  if (block == nullptr) return arena_allocate(size, 16, site);
  if (rt.inside) {
    BlockHeader* header = header_of(reinterpret_cast<std::uint64_t>(block));
    if (header->magic != BlockHeader::kLive) bad_free(reinterpret_cast<std::uint64_t>(block), header, site);
  }
  void* moved = arena_allocate(size, 16, site);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, std::min(size, arena_usable_size(block)));
  arena_free(block, site);
  return moved;
}

std::size_t arena_live_size(const void* block) {
  const auto address = reinterpret_cast<std::uint64_t>(block);
  if (address % 16 != 0) return 0;
  const BlockHeader* header = header_of(address);
  return header->magic == BlockHeader::kLive ? header->size : 0;
}

const void* arena_reused(std::size_t size, std::size_t alignment) {
  const BlockHeader* header = first_free(current_region(), size, alignment);
  return header != nullptr ? reinterpret_cast<const void*>(header->address()) : nullptr;
}

std::size_t arena_usable_size(const void* block) { return header_of(reinterpret_cast<std::uint64_t>(block))->size; }

void heap_check(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t site) {
  const std::uint64_t last = address + size - 1;
  std::uint64_t bad = 0;
  const Region& region = address < kArena ? arena.initial : arena.regions[(address - kArena) >> kRegionShift];
  if (last >= region.next) {
    bad = std::max(address, region.next);
  } else {
    for (std::uint64_t at = address & ~std::uint64_t{7}; at <= last; at += 8) {
      const std::uint8_t state = *poison_byte(at);
      if (state == 0 || (state < 8 && (last - at) < state)) continue;
      bad = state < 8 ? at + state : std::max(at, address);
      break;
    }
  }
  if (__builtin_expect(bad == 0, 1)) return;
  rt.fault_address = bad;
  const char* what = write ? "write to" : "read of";
  if (*poison_byte(bad) == kPoisonFreed && last < region.next) {
    fail(FindingKind::UseAfterFree, std::string(what) + " a heap block that has been freed", site);
  }
  fail(FindingKind::OutOfBounds, std::string(what) + " heap memory outside any block", site);
}

std::size_t room_for_arena() noexcept {
  std::size_t room = 5 * sizeof(std::uint64_t) + (arena.initial_changed ? arena.initial_poison.size() : 0);
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Region& region = arena.regions[i];
    room += 3 * sizeof(std::uint64_t) + region.used() + poison_size(region.used());
    if (rt.settings.reuse_heap) room += sizeof region.free_lists;
  }
  return room;
}

void save_arena(CheckpointBuffer& buffer) {
  buffer.put(arena.allocated);
  buffer.put(arena.live_hash);
  buffer.put(arena.live);
  buffer.put(arena.initial_changed);
  if (arena.initial_changed) buffer.put_bytes(poison_byte(kInitialHeap), arena.initial_poison.size());
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Region& region = arena.regions[i];
    buffer.put(region.next);
    buffer.put(region.next_map);
    if (rt.settings.reuse_heap) buffer.put(region.free_lists);
    if (region.used() == 0) continue;
    buffer.put_bytes(reinterpret_cast<const void*>(region.begin), region.used());
    buffer.put_bytes(poison_byte(region.begin), poison_size(region.used()));
  }
}

void restore_arena(CheckpointReader& reader, std::size_t threads) {
  reader.get(arena.allocated);
  reader.get(arena.live_hash);
  reader.get(arena.live);
  const bool changed_now = arena.initial_changed;
  reader.get(arena.initial_changed);
  if (arena.initial_changed) {
    reader.get_bytes(poison_byte(kInitialHeap), arena.initial_poison.size());
  } else if (changed_now) {
    std::copy(arena.initial_poison.begin(), arena.initial_poison.end(), poison_byte(kInitialHeap));
  }
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    Region& region = arena.regions[i];
    region.dirty = std::max(region.dirty, region.next);
    if (i >= threads) {
      region.next = region.begin;
      region.next_map = kMaps + i * kRegionSize;
      region.free_lists.fill(nullptr);
      continue;
    }
    reader.get(region.next);
    reader.get(region.next_map);
    if (rt.settings.reuse_heap) reader.get(region.free_lists);
    if (region.used() == 0) continue;
    reader.get_bytes(reinterpret_cast<void*>(region.begin), region.used());
    reader.get_bytes(poison_byte(region.begin), poison_size(region.used()));
  }
}

ArenaBytes region_bytes(std::size_t thread) noexcept {
  const Region& region = arena.regions[thread];
  return {reinterpret_cast<const void*>(region.begin), region.used()};
}

ArenaBytes region_lists(std::size_t thread) noexcept {
  const Region& region = arena.regions[thread];
  return {region.free_lists.data(), sizeof region.free_lists};
}

ArenaBytes initial_heap_state() noexcept {
  return {poison_byte(kInitialHeap), arena.initial_changed ? arena.initial_poison.size() : 0};
}

std::uint64_t map_address(std::uint64_t length) {
  Region& region = arena.regions[rt.current->id.value];
  const std::uint64_t address = region.next_map;
  region.next_map += (length + 2 * kPage - 1) & ~(kPage - 1);
  return address;
}

std::optional<Leak> find_leak() {
  if (arena.live == 0) return std::nullopt;
  const auto known = std::lower_bound(arena.judged.begin(), arena.judged.end(), arena.live_hash);
  if (known != arena.judged.end() && *known == arena.live_hash) return std::nullopt;
  arena.judged.insert(known, arena.live_hash);
  std::vector<LiveBlock> blocks;
  for (std::size_t i = 0; i < rt.thread_count; ++i) collect_live(arena.regions[i].begin, arena.regions[i].next, blocks);
  // Values of keys are destroyed where a thread ends, but not where main ends the process.
  std::vector<TrackedRange> values;
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const std::vector<void*>& own = rt.fibres[i]->key_values;
    values.push_back({word(own.data()), word(own.data() + own.size())});
  }
  const LiveBlock* leak = first_unreachable(blocks, values);
  if (leak == nullptr) return std::nullopt;
  return Leak{leak->address, leak->size, leak->site};
}

}  // namespace heddle::native
