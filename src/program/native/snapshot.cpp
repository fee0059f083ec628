#include "program/native/snapshot.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "base/contract.hpp"
#include "program/native/arena.hpp"
#include "program/native/layout.hpp"
#include "program/native/memory_map.hpp"
#include "program/native/own_memory.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {
namespace {

struct SavedPage {
  std::uint64_t address;
  unsigned char* copy;
  std::uint32_t first_chunk;  // number of its first chunk among those of all tracked memory
  bool changed = true;        // since the trial began
};

// Some pages are written only in the first executions (by the loader, say). During a trial each restart looks which
// pages really changed; those that did not are protected again when it ends.
constexpr std::uint64_t kTrialBegins = 16;
constexpr std::uint64_t kTrialEnds = 48;

struct Snapshot {
  std::vector<TrackedRange> ranges;
  std::vector<std::vector<bool>> written;  // per range and page
  std::vector<SavedPage> dirty;
  std::vector<std::uint32_t> by_address;  // positions in `dirty`
  std::uint64_t restores = 0;
  bool by_page = false;
  std::string unrestorable;
};
Snapshot snapshot;

void add_range(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  snapshot.ranges.push_back({begin, end});
  snapshot.written.emplace_back((end - begin) / kPage, false);
}

void mark_written(std::uint64_t page, bool written) {
  for (std::size_t i = 0; i < snapshot.ranges.size(); ++i) {
    const TrackedRange& range = snapshot.ranges[i];
    if (page >= range.begin && page < range.end) snapshot.written[i][(page - range.begin) / kPage] = written;
  }
}

void hold_trial() {
  const std::uint64_t now = snapshot.restores++;
  if (now < kTrialBegins) return;
  for (SavedPage& saved : snapshot.dirty) {
    if (now == kTrialBegins) saved.changed = false;
    if (std::memcmp(reinterpret_cast<const void*>(saved.address), saved.copy, kPage) != 0) saved.changed = true;
  }
  if (now != kTrialEnds) return;
  std::erase_if(snapshot.dirty, [](const SavedPage& saved) {
    if (saved.changed) return false;
    mark_written(saved.address, false);
    raw_syscall(SYS_mprotect, saved.address, kPage, PROT_READ);
    delete[] saved.copy;
    return true;
  });
}

std::size_t chunk_at(std::size_t i) { return i * kChunk; }

// A chunk of a saved page as it is now, and as it was.
const unsigned char* chunk_now(const SavedPage& saved, std::size_t i) {
  return reinterpret_cast<const unsigned char*>(saved.address) + chunk_at(i);
}
const unsigned char* chunk_before(const SavedPage& saved, std::size_t i) { return saved.copy + chunk_at(i); }

// Which chunks of a page are not as in the snapshot, as bits.
std::uint32_t changed_chunks(const SavedPage& saved) {
  std::uint32_t changed = 0;
  for (std::size_t i = 0; i < kPage / kChunk; ++i) {
    if (!own_same(chunk_now(saved, i), chunk_before(saved, i), kChunk)) changed |= 1U << i;
  }
  return changed;
}

// Adds a page to those copied back, if it is tracked and not yet among them.
bool learn(std::uint64_t page) {
  for (std::size_t i = 0; i < snapshot.ranges.size(); ++i) {
    const TrackedRange& range = snapshot.ranges[i];
    if (page < range.begin || page >= range.end) continue;
    if (snapshot.written[i][(page - range.begin) / kPage]) return false;
    mark_written(page, true);
    auto* copy = new unsigned char[kPage];
    std::memcpy(copy, reinterpret_cast<const void*>(page), kPage);
    std::uint64_t before = 0;  // tracked bytes in front of it
    for (std::size_t r = 0; r < i; ++r) before += snapshot.ranges[r].end - snapshot.ranges[r].begin;
    snapshot.dirty.push_back({page, copy, static_cast<std::uint32_t>((before + page - range.begin) / kChunk)});
    raw_syscall(SYS_mprotect, page, kPage, PROT_READ | PROT_WRITE);
    return true;
  }
  return false;
}

}  // namespace

void take_snapshot(bool track_by_page, std::uint64_t stack_from) {
  snapshot.by_page = track_by_page;
  const RuntimeExtent own = runtime_extent();
  for (const Mapping& mapping : read_memory_map()) {
    if (!mapping.writable || runtime_owns(mapping.begin)) continue;
    if (mapping.name == "[stack]") {
      if (stack_from != 0) add_range(stack_from & ~(kPage - 1), mapping.end);
      continue;
    }
    if (mapping.shared) {
      const bool channel = mapping.name.find("memfd:heddle") != std::string::npos;
      if (!channel) snapshot.unrestorable = mapping.name.empty() ? "a shared mapping" : mapping.name;
      continue;
    }
    if (mapping.begin == kInitialHeap) {
      add_range(kInitialHeap, arena_initial_end());
      continue;
    }
    // The kernel may have merged this library's data with a neighbour's.
    add_range(mapping.begin, std::min(mapping.end, std::max(mapping.begin, own.begin)));
    add_range(std::max(mapping.begin, std::min(mapping.end, own.end)), mapping.end);
  }
  for (const TrackedRange& range : snapshot.ranges) {
    if (track_by_page) {
      raw_syscall(SYS_mprotect, range.begin, range.end - range.begin, PROT_READ);
    } else {
      expect_write(range.begin, range.end - range.begin);
    }
  }
}

void restore_snapshot() noexcept {
  if (snapshot.restores <= kTrialEnds && snapshot.by_page) hold_trial();
  for (const SavedPage& saved : snapshot.dirty) {
    copy_page(reinterpret_cast<void*>(saved.address), saved.copy);
  }
}

bool pages_settled() noexcept { return !snapshot.by_page || snapshot.restores > kTrialEnds; }

void settle_pages() noexcept { snapshot.restores = kTrialEnds + 1; }

std::size_t room_for_pages() noexcept {
  return sizeof(std::size_t) + CheckpointBuffer::kAligned + snapshot.dirty.size() * (kPage + sizeof(std::uint32_t));
}

void for_each_changed_chunk(const std::function<void(std::uint32_t, const void*)>& visit) {
  // The order in which pages were first written is history, and what is kept refers to it.
  std::vector<std::uint32_t>& order = snapshot.by_address;
  if (order.size() != snapshot.dirty.size()) {
    order.resize(snapshot.dirty.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [](std::uint32_t a, std::uint32_t b) {
      return snapshot.dirty[a].first_chunk < snapshot.dirty[b].first_chunk;
    });
  }
  for (const std::uint32_t at : order) {
    const SavedPage& saved = snapshot.dirty[at];
    for (std::uint32_t left = changed_chunks(saved); left != 0; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      visit(saved.first_chunk + i, chunk_now(saved, i));
    }
  }
}

void save_changed_chunks(CheckpointBuffer& buffer) {
  buffer.put(snapshot.dirty.size());
  for (const SavedPage& saved : snapshot.dirty) {
    const std::uint32_t changed = changed_chunks(saved);
    buffer.put(changed);
    for (std::uint32_t left = changed; left != 0; left &= left - 1) {
      buffer.put_bytes(chunk_now(saved, static_cast<std::size_t>(std::countr_zero(left))), kChunk);
    }
  }
}

void restore_changed_chunks(CheckpointReader& reader) {
  std::size_t count = 0;
  reader.get(count);
  for (std::size_t p = 0; p < snapshot.dirty.size(); ++p) {
    const SavedPage& saved = snapshot.dirty[p];
    std::uint32_t changed = 0;
    if (p < count) reader.get(changed);
    for (std::size_t i = 0; i < kPage / kChunk; ++i) {
      const bool kept = (changed & (1U << i)) != 0;
      std::memcpy(reinterpret_cast<unsigned char*>(saved.address) + chunk_at(i),
                  kept ? reader.take(kChunk) : chunk_before(saved, i), kChunk);
    }
  }
}

void save_pages(CheckpointBuffer& buffer) {
  buffer.put(snapshot.dirty.size());
  buffer.align();
  for (const SavedPage& saved : snapshot.dirty) {
    copy_page(buffer.room(kPage), reinterpret_cast<const void*>(saved.address));
  }
}

void restore_pages(CheckpointReader& reader) {
  std::size_t count = 0;
  reader.get(count);
  reader.align();
  for (std::size_t i = 0; i < snapshot.dirty.size(); ++i) {
    const SavedPage& saved = snapshot.dirty[i];
    const unsigned char* page = i < count ? reader.take(kPage) : saved.copy;
    copy_page(reinterpret_cast<void*>(saved.address), page);
  }
}

std::span<const TrackedRange> tracked_ranges() { return snapshot.ranges; }

bool first_write(std::uint64_t address) noexcept { return learn(address & ~(kPage - 1)); }

bool expect_write(std::uint64_t address, std::uint64_t size) noexcept {
  for (std::uint64_t page = address & ~(kPage - 1); page < address + size; page += kPage) learn(page);
  return std::any_of(snapshot.ranges.begin(), snapshot.ranges.end(),
                     [&](const TrackedRange& range) { return address < range.end && range.begin < address + size; });
}

const char* unrestorable_memory() { return snapshot.unrestorable.empty() ? nullptr : snapshot.unrestorable.c_str(); }

}  // namespace heddle::native
