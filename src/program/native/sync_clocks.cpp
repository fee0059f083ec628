#include "program/native/sync_clocks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/ticks.hpp"
#include "program/native/runtime.hpp"
#include "program/native/undo_log.hpp"

namespace heddle::native {
namespace {

// What an object passes on. Valid if `stamp` is that of the last reset. Every change can be undone (undo_log.hpp): the
// ticks live in a pool that is only added to, each step that changes them making its own copy.
struct Released {
  std::uint64_t object = 0;
  std::uint64_t time = 0;
  std::uint32_t stamp = 0;
  std::uint32_t saved = 0;   // the step in which it was
  std::uint32_t length = 0;  // ticks in use; further threads count as 0
  std::uint32_t ticks = 0;   // index into the pool
};

struct alignas(8) Use {
  std::uint32_t entries = 0;
  std::uint32_t ticks = 0;
  std::uint32_t fences = 0;  // some thread of this execution has used one
  std::uint32_t saved = 0;
};

// What a thread keeps for fences: what relaxed loads have seen (for a later acquire fence) and what it knew at its last
// release fence (for later relaxed stores). Kept as objects under addresses that no program has.
constexpr std::uint64_t kSeenRelaxed = 0xFFFF'0000'0000'0000;
constexpr std::uint64_t kReleaseFence = 0xFFFF'8000'0000'0000;

struct Clocks {
  std::vector<Released> table;  // open addressing, a power of two
  std::uint32_t stamp = 0;
  Released* last = nullptr;  // found last
  std::vector<std::uint32_t> pool;
  Use use;
};
Clocks clocks;

std::uint32_t ticks_now() { return static_cast<std::uint32_t>(clock_length(rt.thread_count)); }

// Before what a thread knows changes.
void save_clock(Fibre& fibre) {
  if (fibre.clock_saved == undo_log.step) return;
  save_words(fibre.clock.data(), ticks_now() / 2);
  fibre.clock_saved = undo_log.step;
}

std::size_t slot(std::uint64_t object) {
  return static_cast<std::size_t>((object * 0x9E3779B97F4A7C15U) >> 32U) & (clocks.table.size() - 1);
}

bool found_last(std::uint64_t object) {
  return clocks.last != nullptr && clocks.last->object == object && clocks.last->stamp == clocks.stamp;
}

Released* find(std::uint64_t object) {
  if (found_last(object)) return clocks.last;
  if (clocks.table.empty()) return nullptr;
  for (std::size_t i = slot(object);; i = (i + 1) & (clocks.table.size() - 1)) {
    Released& entry = clocks.table[i];
    if (entry.stamp != clocks.stamp) return nullptr;
    if (entry.object == object) return clocks.last = &entry;
  }
}

void grow() {
  undo_log_give_up();  // entries move
  clocks.last = nullptr;
  std::vector<Released> old = std::move(clocks.table);
  clocks.table.assign(std::max<std::size_t>(256, old.size() * 2), {});
  for (const Released& entry : old) {
    if (entry.stamp != clocks.stamp) continue;
    std::size_t i = slot(entry.object);
    while (clocks.table[i].stamp == clocks.stamp) i = (i + 1) & (clocks.table.size() - 1);
    clocks.table[i] = entry;
  }
}

Released& find_or_make(std::uint64_t object) {
  if (found_last(object)) return *clocks.last;
  if ((clocks.use.entries + 1) * 2 > clocks.table.size()) grow();
  for (std::size_t i = slot(object);; i = (i + 1) & (clocks.table.size() - 1)) {
    Released& entry = clocks.table[i];
    if (entry.stamp == clocks.stamp && entry.object == object) return *(clocks.last = &entry);
    if (entry.stamp == clocks.stamp) continue;
    save(clocks.use);
    ++clocks.use.entries;
    save(entry);
    entry = Released{.object = object, .stamp = clocks.stamp, .saved = entry.saved};
    return *(clocks.last = &entry);
  }
}

// The ticks of an entry, one for each thread there is now, to be changed in this step.
std::uint32_t* ticks_to_change(Released& entry) {
  const std::uint32_t needed = ticks_now();
  // Where nothing goes back, ticks may change in place.
  const bool own = saved_in_this_step(entry) || !can_go_back();
  save(entry);
  if (!own || entry.length != needed) {
    save(clocks.use);
    const std::uint32_t ticks = clocks.use.ticks;
    clocks.use.ticks += needed;
    if (clocks.use.ticks > clocks.pool.size()) clocks.pool.resize(2 * std::size_t{clocks.use.ticks});
    copy_ticks(clocks.pool.data() + ticks, clocks.pool.data() + entry.ticks, entry.length);
    std::fill(clocks.pool.begin() + ticks + entry.length, clocks.pool.begin() + ticks + needed, 0);
    entry.ticks = ticks;
    entry.length = needed;
  }
  return clocks.pool.data() + entry.ticks;
}

// The entry passes nothing on any more.
void clear(Released& entry) {
  save(entry);
  entry.length = 0;
  entry.time = 0;
}

void join_into_fibre(Fibre& fibre, const Released& entry) {
  save_clock(fibre);
  const std::uint32_t* ticks = clocks.pool.data() + entry.ticks;
  join_ticks(fibre.clock.data(), ticks, entry.length);
  fibre.time = std::max(fibre.time, entry.time);
}

void join_into_object(std::uint64_t object, const Released& source) {
  const Released copy = source;  // making room may move the table
  Released& entry = find_or_make(object);
  std::uint32_t* ticks = ticks_to_change(entry);
  const std::uint32_t* from = clocks.pool.data() + copy.ticks;
  join_ticks(ticks, from, copy.length);
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
  if (Released* entry = find(object)) clear(*entry);
  if (clocks.use.fences == 0) return;
  if (const Released* fence = find(kReleaseFence | fibre.id.value)) join_into_object(object, *fence);
}

}  // namespace

void sync_clocks_reset(bool numbers_again) noexcept {
  if (numbers_again) {
    clocks.table.clear();
    for (std::size_t i = 0; i < rt.thread_count; ++i) rt.fibres[i]->clock_saved = 0;
  }
  clocks.stamp = undo_log.step;
  clocks.last = nullptr;
  clocks.use = {};
}

void sync_clocks_forget(std::uint64_t address, std::uint64_t size) noexcept {
  if (rt.checked) return;
  for (Released& entry : clocks.table) {
    if (entry.stamp != clocks.stamp || entry.object < address || entry.object >= address + size) continue;
    clear(entry);
  }
}

std::uint64_t sync_clocks_fingerprint() noexcept {
  std::uint64_t sum = clocks.use.fences;
  for (const Released& entry : clocks.table) {
    if (entry.stamp != clocks.stamp) continue;
    std::uint64_t hash = mix(entry.object, entry.time);
    for (std::uint32_t i = 0; i < entry.length; ++i) hash = mix(hash, clocks.pool[entry.ticks + i]);
    sum += hash;
  }
  return sum;
}

std::uint64_t clock_fingerprint(const Fibre& fibre) noexcept {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < rt.thread_count; ++i) hash = mix(hash, fibre.clock[i]);
  return hash;
}

void start_clock(Fibre& fibre, Fibre* parent) noexcept {
  if (rt.checked) return;
  save_clock(fibre);
  if (parent != nullptr) {
    save_clock(*parent);
    copy_ticks(fibre.clock.data(), parent->clock.data(), ticks_now());
    ++parent->clock[parent->id.value];  // what it does from now on is not known to the new thread
  } else {
    std::fill_n(fibre.clock.begin(), ticks_now(), 0);
  }
  fibre.clock[fibre.id.value] = 1;
}

void acquire_now(Fibre& fibre, std::uint64_t object) noexcept {
  if (const Released* entry = find(object)) join_into_fibre(fibre, *entry);
}

void release_now(Fibre& fibre, std::uint64_t object) noexcept {
  Released& entry = find_or_make(object);
  std::uint32_t* ticks = ticks_to_change(entry);
  copy_ticks(ticks, fibre.clock.data(), entry.length);
  entry.time = fibre.time;
  save_clock(fibre);
  ++fibre.clock[fibre.id.value];
}

void release_more_now(Fibre& fibre, std::uint64_t object) noexcept {
  Released& entry = find_or_make(object);
  std::uint32_t* ticks = ticks_to_change(entry);
  join_ticks(ticks, fibre.clock.data(), entry.length);
  entry.time = std::max(entry.time, fibre.time);
  save_clock(fibre);
  ++fibre.clock[fibre.id.value];
}

void acquire_thread(Fibre& fibre, const Fibre& other) noexcept {
  if (rt.checked) return;
  save_clock(fibre);
  join_ticks(fibre.clock.data(), other.clock.data(), ticks_now());
  fibre.time = std::max(fibre.time, other.time);
}

// Threads are mostly joined in the order in which they were created: the last ones are likely not to be known yet.
bool is_last_and_knows_all(const Fibre& fibre) noexcept {
  for (std::size_t i = rt.thread_count; i-- > 0;) {
    const Fibre& other = *rt.fibres[i];
    if (&other == &fibre || other.state->phase == ThreadPhase::NotStarted) continue;
    if (other.state->phase != ThreadPhase::Finished || fibre.clock[i] < other.clock[i]) return false;
  }
  return true;
}

void atomic_load_sync_now(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept {
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

void atomic_store_sync_now(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept {
  for_each_part(address, size, [&](std::uint64_t part) {
    if (releases(order)) {
      release_now(fibre, part);
    } else {
      store_relaxed(fibre, part);
    }
  });
}

void atomic_rmw_release_now(Fibre& fibre, std::uint64_t address, std::uint32_t size, int order) noexcept {
  for_each_part(address, size, [&](std::uint64_t part) {
    if (releases(order)) {
      release_more_now(fibre, part);
    } else if (clocks.use.fences != 0) {
      if (const Released* fence = find(kReleaseFence | fibre.id.value)) join_into_object(part, *fence);
    }
  });
}

void atomic_fence_sync(Fibre& fibre, int order) noexcept {
  if (rt.checked) return;
  save(clocks.use);
  clocks.use.fences = 1;
  if (acquires(order)) acquire_now(fibre, kSeenRelaxed | fibre.id.value);
  if (releases(order)) release_now(fibre, kReleaseFence | fibre.id.value);
}

}  // namespace heddle::native
