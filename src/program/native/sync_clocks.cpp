#include "program/native/sync_clocks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "program/native/runtime.hpp"

namespace heddle::native {
namespace {

// What an object passes on. Valid if `stamp` is the current execution's; ticks live in a pool that each execution
// fills anew.
struct Released {
  std::uint64_t object = 0;
  std::uint32_t stamp = 0;
  std::uint32_t length = 0;  // ticks in use; further threads count as 0
  std::uint32_t capacity = 0;
  std::uint32_t ticks = 0;  // index into the pool
  std::uint64_t time = 0;
};

// What a thread keeps for fences: what relaxed loads have seen (for a later acquire fence) and what it knew at its last
// release fence (for later relaxed stores). Kept as objects under addresses that no program has.
constexpr std::uint64_t kSeenRelaxed = 0xFFFF'0000'0000'0000;
constexpr std::uint64_t kReleaseFence = 0xFFFF'8000'0000'0000;

struct Clocks {
  std::vector<Released> table;  // open addressing, a power of two
  std::size_t used = 0;
  std::uint32_t stamp = 0;
  Released* last = nullptr;  // found last, in this execution
  std::vector<std::uint32_t> pool;
  bool fences = false;  // some thread of this execution has used a fence
};
Clocks clocks;

std::size_t slot(std::uint64_t object) {
  return static_cast<std::size_t>((object * 0x9E3779B97F4A7C15U) >> 32U) & (clocks.table.size() - 1);
}

Released* find(std::uint64_t object) {
  if (clocks.last != nullptr && clocks.last->object == object) return clocks.last;
  if (clocks.table.empty()) return nullptr;
  for (std::size_t i = slot(object);; i = (i + 1) & (clocks.table.size() - 1)) {
    Released& entry = clocks.table[i];
    if (entry.stamp != clocks.stamp) return nullptr;
    if (entry.object == object) return clocks.last = &entry;
  }
}

void grow() {
  clocks.last = nullptr;
  std::vector<Released> old = std::move(clocks.table);
  clocks.table.assign(std::max<std::size_t>(64, old.size() * 2), {});
  for (const Released& entry : old) {
    if (entry.stamp != clocks.stamp) continue;
    std::size_t i = slot(entry.object);
    while (clocks.table[i].stamp == clocks.stamp) i = (i + 1) & (clocks.table.size() - 1);
    clocks.table[i] = entry;
  }
}

Released& find_or_make(std::uint64_t object) {
  if (clocks.last != nullptr && clocks.last->object == object) return *clocks.last;
  if ((clocks.used + 1) * 2 > clocks.table.size()) grow();
  for (std::size_t i = slot(object);; i = (i + 1) & (clocks.table.size() - 1)) {
    Released& entry = clocks.table[i];
    if (entry.stamp == clocks.stamp && entry.object == object) return *(clocks.last = &entry);
    if (entry.stamp == clocks.stamp) continue;
    ++clocks.used;
    entry = Released{.object = object, .stamp = clocks.stamp};
    return *(clocks.last = &entry);
  }
}

// Makes room for a tick of each thread there is now.
std::uint32_t* room(Released& entry) {
  const auto needed = static_cast<std::uint32_t>(rt.thread_count);
  if (entry.capacity < needed) {
    const std::uint32_t capacity = (needed + 7U) & ~7U;
    const auto ticks = static_cast<std::uint32_t>(clocks.pool.size());
    clocks.pool.resize(clocks.pool.size() + capacity);
    std::copy_n(clocks.pool.begin() + entry.ticks, entry.length, clocks.pool.begin() + ticks);
    entry.ticks = ticks;
    entry.capacity = capacity;
  }
  std::fill(clocks.pool.begin() + entry.ticks + entry.length, clocks.pool.begin() + entry.ticks + needed, 0);
  entry.length = needed;
  return clocks.pool.data() + entry.ticks;
}

void join_into_fibre(Fibre& fibre, const Released& entry) {
  const std::uint32_t* ticks = clocks.pool.data() + entry.ticks;
  for (std::uint32_t i = 0; i < entry.length; ++i) fibre.clock[i] = std::max(fibre.clock[i], ticks[i]);
  fibre.time = std::max(fibre.time, entry.time);
}

void join_into_object(std::uint64_t object, const Released& source) {
  const Released copy = source;  // making room may move the table
  Released& entry = find_or_make(object);
  std::uint32_t* ticks = room(entry);
  const std::uint32_t* from = clocks.pool.data() + copy.ticks;
  for (std::uint32_t i = 0; i < copy.length; ++i) ticks[i] = std::max(ticks[i], from[i]);
  entry.time = std::max(entry.time, copy.time);
}

bool acquires(int order) { return order == 1 || order == 2 || order >= 4; }
bool releases(int order) { return order >= 3; }

// An access of more than 4 bytes is one to each of its 4-byte parts, so that a wide access and narrow ones of its
// halves synchronise (libstdc++ reads both counts of a shared_ptr at once).
template <typename Body>
void for_each_part(std::uint64_t address, std::uint32_t size, Body body) {
  body(address);
  for (std::uint32_t at = 4; at < size; at += 4) body(address + at);
}

// A relaxed store passes on what the thread knew at its last release fence, or nothing.
void store_relaxed(Fibre& fibre, std::uint64_t object) {
  if (Released* entry = find(object)) {
    entry->length = 0;
    entry->time = 0;
  }
  if (!clocks.fences) return;
  if (const Released* fence = find(kReleaseFence | fibre.id.value)) join_into_object(object, *fence);
}

}  // namespace

void sync_clocks_reset() noexcept {
  ++clocks.stamp;
  if (clocks.stamp == 0) {  // wrapped around: stamps of old entries would look current
    clocks.table.clear();
    clocks.stamp = 1;
  }
  clocks.used = 0;
  clocks.last = nullptr;
  clocks.pool.clear();
  clocks.fences = false;
}

void sync_clocks_forget(std::uint64_t address, std::uint64_t size) noexcept {
  for (Released& entry : clocks.table) {
    if (entry.stamp != clocks.stamp || entry.object < address || entry.object >= address + size) continue;
    entry.length = 0;
    entry.time = 0;
  }
}

void acquire(Fibre& fibre, std::uint64_t object) noexcept {
  if (const Released* entry = find(object)) join_into_fibre(fibre, *entry);
}

void release(Fibre& fibre, std::uint64_t object) noexcept {
  Released& entry = find_or_make(object);
  std::uint32_t* ticks = room(entry);
  std::copy_n(fibre.clock.begin(), entry.length, ticks);
  entry.time = fibre.time;
  ++fibre.clock[fibre.id.value];
}

void release_more(Fibre& fibre, std::uint64_t object) noexcept {
  Released& entry = find_or_make(object);
  std::uint32_t* ticks = room(entry);
  for (std::uint32_t i = 0; i < entry.length; ++i) ticks[i] = std::max(ticks[i], fibre.clock[i]);
  entry.time = std::max(entry.time, fibre.time);
  ++fibre.clock[fibre.id.value];
}

void acquire_thread(Fibre& fibre, const Fibre& other) noexcept {
  for (std::size_t i = 0; i < rt.thread_count; ++i) fibre.clock[i] = std::max(fibre.clock[i], other.clock[i]);
  fibre.time = std::max(fibre.time, other.time);
}

void atomic_load_sync(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept {
  for_each_part(address, size, [&](std::uint64_t part) {
    const Released* entry = find(part);
    if (entry == nullptr) return;
    if (acquires(order)) {
      join_into_fibre(fibre, *entry);
    } else {
      join_into_object(kSeenRelaxed | fibre.id.value, *entry);
    }
  });
}

void atomic_store_sync(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept {
  for_each_part(address, size, [&](std::uint64_t part) {
    if (releases(order)) {
      release(fibre, part);
    } else {
      store_relaxed(fibre, part);
    }
  });
}

void atomic_rmw_release(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept {
  for_each_part(address, size, [&](std::uint64_t part) {
    if (releases(order)) {
      release_more(fibre, part);
    } else if (clocks.fences) {
      if (const Released* fence = find(kReleaseFence | fibre.id.value)) join_into_object(part, *fence);
    }
  });
}

void atomic_fence_sync(Fibre& fibre, int order) noexcept {
  clocks.fences = true;
  if (acquires(order)) acquire(fibre, kSeenRelaxed | fibre.id.value);
  if (releases(order)) release(fibre, kReleaseFence | fibre.id.value);
}

}  // namespace heddle::native
