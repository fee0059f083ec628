// The history of memory accesses, per word of 8 bytes: a list of records (who, when, which bytes, how). A record is
// dropped when a later access makes it redundant, after FastTrack: if access r happens before access w, w covers r's
// bytes and conflicts with everything r conflicts with, then whatever races with r later also races with w. So some
// race on every racy byte is still found, and lists stay at a few records.
//
// Words are found through a table of pages; records from before the last reset are recognised by their stamp, so a
// reset costs nothing. Every change can be undone: see undo_log.hpp.
#include "program/native/race_check.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/contract.hpp"
#include "program/native/layout.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"
#include "program/native/standard_streams.hpp"
#include "program/native/undo_log.hpp"

namespace heddle::native {
namespace {

struct Record {
  std::uint32_t tick;
  std::uint16_t thread;
  std::uint8_t bytes;  // mask
  Access access;
  friend bool operator==(const Record& a, const Record& b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }
};
static_assert(sizeof(Record) == 8);

// Put together in a register: read back as a whole, what was written to memory piece by piece is slow to come.
Record record_of(const Fibre& fibre, std::uint8_t bytes, Access access) {
  return std::bit_cast<Record>(fibre.clock[fibre.id.value] | (std::uint64_t{fibre.id.value} << 32U) |
                               (std::uint64_t{bytes} << 48U) | (static_cast<std::uint64_t>(access) << 56U));
}

struct alignas(8) Cell {
  static constexpr std::size_t kInline = 2;
  static constexpr std::uint32_t kMost = 0x7FFF'FFFF;
  std::uint32_t stamp;
  std::uint32_t saved;  // the step in which it was
  std::uint32_t count : 31;
  std::uint32_t plain : 1;  // some of the records may be of accesses that are not atomic
  std::uint32_t more;       // 1 + index of the overflow list
  std::array<Record, kInline> records;
};
static_assert(sizeof(Cell) == 32);

constexpr std::size_t kCellsPerPage = kPage / 8;
struct PageCells {
  std::array<Cell, kCellsPerPage> cells;
};
struct KnownPage {
  std::uint64_t number = ~std::uint64_t{0};
  PageCells* cells = nullptr;
};

constexpr std::uint64_t kLeafBits = 18;  // pages per leaf table
constexpr std::uint64_t kRootBits = 47 - 12 - kLeafBits;
struct Leaf {
  std::array<PageCells*, std::size_t{1} << kLeafBits> pages;
};

struct alignas(8) OverflowUse {
  std::uint32_t lists = 0;
  std::uint32_t saved = 0;
};

struct History {
  std::array<Leaf*, std::size_t{1} << kRootBits> root{};
  std::uint64_t mapped = 0;  // bytes of the window in use
  std::array<KnownPage, 64> recent{};
  std::uint32_t stamp = 0;
  std::vector<KnownPage> pages;
  std::vector<std::vector<Record>> overflow;
  OverflowUse overflow_use;
};
History history;

constexpr bool writes(Access access) { return (static_cast<unsigned>(access) & 1U) != 0; }
constexpr bool atomic(Access access) { return (static_cast<unsigned>(access) & 2U) != 0; }

constexpr bool conflict(Access a, Access b) { return (writes(a) || writes(b)) && !(atomic(a) && atomic(b)); }

// Whether everything that conflicts with `old` also conflicts with `later`.
constexpr bool covers(Access later, Access old) {
  return (writes(later) || !writes(old)) && (!atomic(later) || atomic(old));
}

template <typename T>
T* map_table() {
  const std::uint64_t at = kShadow + history.mapped;
  history.mapped += (sizeof(T) + kPage - 1) & ~(kPage - 1);
  HEDDLE_REQUIRE(reserve(at, sizeof(T)), "no address space left for the history of memory accesses");
  return reinterpret_cast<T*>(at);
}

PageCells* find_page(std::uint64_t address, bool make);

// Where a page is remembered once it was looked up. Stacks, and heaps, of different threads lie at equal offsets of
// large windows: these must not all meet in one place.
KnownPage& recent(std::uint64_t page) {
  return history.recent[(page ^ (page >> 14U) ^ (page >> 21U)) % history.recent.size()];
}

inline PageCells* page_of(std::uint64_t address, bool make) {
  const KnownPage& known = recent(address >> 12U);
  return known.number == address >> 12U ? known.cells : find_page(address, make);
}

__attribute__((noinline)) PageCells* find_page(std::uint64_t address, bool make) {
  Leaf*& leaf = history.root[(address >> (12 + kLeafBits)) & ((std::uint64_t{1} << kRootBits) - 1)];
  if (leaf == nullptr) {
    if (!make) return nullptr;
    leaf = map_table<Leaf>();
  }
  PageCells*& page = leaf->pages[(address >> 12U) & ((std::uint64_t{1} << kLeafBits) - 1)];
  if (page == nullptr && make) {
    page = map_table<PageCells>();
    history.pages.push_back({address >> 12U, page});
  }
  if (page != nullptr) recent(address >> 12U) = {address >> 12U, page};
  return page;
}

bool ordered(const Record& record, const Fibre& fibre) { return record.tick <= fibre.clock[record.thread]; }

// Whether the current thread knows of an access: its own, or one that happens before what it does now.
bool known(const Record& old, const Record& now, const Fibre& fibre) {
  return old.thread == now.thread || ordered(old, fibre);
}
bool races(const Record& old, const Record& now, const Fibre& fibre) {
  return (old.bytes & now.bytes) != 0 && conflict(old.access, now.access) && !known(old, now, fibre);
}
// Whether all that would race with `old` from now on would race with `now`, too.
bool covered(const Record& old, const Record& now, const Fibre& fibre) {
  return (old.bytes & ~now.bytes) == 0 && covers(now.access, old.access) && known(old, now, fibre);
}

// Gives a word an empty list for its records beyond the inline ones.
std::vector<Record>& fresh_overflow(Cell& cell) {
  save(history.overflow_use);
  if (history.overflow_use.lists == history.overflow.size()) history.overflow.emplace_back();
  cell.more = ++history.overflow_use.lists;
  history.overflow[cell.more - 1].clear();
  return history.overflow[cell.more - 1];
}

Record& record_at(Cell& cell, std::size_t i) {
  return i < Cell::kInline ? cell.records[i] : history.overflow[cell.more - 1][i - Cell::kInline];
}

// A list only grows, and what it had when it was shorter stays: that is what the undo log goes back to.
inline void append(Cell& cell, const Record& record) {
  if (cell.count < Cell::kInline) {
    cell.records[cell.count] = record;
  } else {
    const bool has_list = cell.count > Cell::kInline;
    std::vector<Record>& more = has_list ? history.overflow[cell.more - 1] : fresh_overflow(cell);
    more.resize(cell.count - Cell::kInline);
    more.push_back(record);
  }
  ++cell.count;
}

// Whether this thread's access in the same epoch has said all that this one would: what conflicts with it was looked
// for then, or has found it since.
inline bool said_already(const Record& old, const Record& now) {
  return old.thread == now.thread && old.tick == now.tick && (now.bytes & ~old.bytes) == 0 &&
         covers(old.access, now.access);
}

// Takes the records from number `first` on out of a word of which nothing new would be learnt behind `now`. The list
// they were in stays, for the undo log to go back to, and those that are left have a copy.
void drop_covered(Cell& cell, std::size_t first, const Record& now, const Fibre& fibre) {
  if (cell.count > Cell::kInline) {
    const std::uint32_t old = cell.more - 1;
    std::vector<Record>& copy = fresh_overflow(cell);
    const Record* const records = history.overflow[old].data();
    copy.assign(records, records + (cell.count - Cell::kInline));
  }
  Record* const more = cell.count > Cell::kInline ? history.overflow[cell.more - 1].data() : nullptr;
  const auto at = [&](std::size_t i) -> Record& {
    return i < Cell::kInline ? cell.records[i] : more[i - Cell::kInline];
  };
  std::size_t kept = first;
  for (std::size_t i = first + 1; i < cell.count; ++i) {
    const Record record = at(i);
    if (!covered(record, now, fibre)) at(kept++) = record;
  }
  cell.count = kept & Cell::kMost;
}

// Adds an access to a word; the racing record, if there is one.
__attribute__((noinline)) const Record* add_slowly(Cell& cell, const Record& now, const Fibre& fibre) {
  constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t first_covered = kNone;
  const Record* const more = cell.count > Cell::kInline ? history.overflow[cell.more - 1].data() : nullptr;
  for (std::size_t i = 0; i < cell.count; ++i) {
    const Record* const old = i < Cell::kInline ? &cell.records[i] : more + (i - Cell::kInline);
    if (races(*old, now, fibre)) return old;
    if (covered(*old, now, fibre)) {
      first_covered = std::min(first_covered, i);
    } else if (said_already(*old, now)) {
      return nullptr;
    }
  }
  save(cell);
  if (first_covered != kNone) drop_covered(cell, first_covered, now, fibre);
  append(cell, now);
  if (!atomic(now.access)) cell.plain = 1;
  return nullptr;
}

// The same for an atomic access to a word that has had no others: no race. Many threads may have read it, so it is only
// now and then that records are looked for which are not needed any more.
__attribute__((noinline)) const Record* add_atomic(Cell& cell, const Record& now, const Fibre& fibre) {
  if ((cell.count & (cell.count - 1)) == 0) return add_slowly(cell, now, fibre);
  if (said_already(history.overflow[cell.more - 1][cell.count - Cell::kInline - 1], now)) return nullptr;
  save(cell);
  append(cell, now);
  return nullptr;
}

// The common cases: the first access of the execution, the same access again, and words with few records, which stay
// in their cell.
inline const Record* add(Cell& cell, const Record& now, const Fibre& fibre) {
  if (cell.stamp != history.stamp) {
    save(cell);
    cell.stamp = history.stamp;
    cell.more = 0;
    cell.count = 1;
    cell.plain = !atomic(now.access);
    cell.records[0] = now;
    return nullptr;
  }
  if (cell.records[0] == now) return nullptr;
  if (cell.count > Cell::kInline) {
    return cell.plain == 0 && atomic(now.access) ? add_atomic(cell, now, fibre) : add_slowly(cell, now, fibre);
  }
  const Record last = cell.records[cell.count - 1];
  if (said_already(last, now)) return nullptr;
  std::array<Record, Cell::kInline> kept;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < cell.count; ++i) {
    const Record old = cell.records[i];
    if (covered(old, now, fibre)) continue;
    if (races(old, now, fibre)) return &cell.records[i];
    kept[count++] = old;
  }
  if (count == Cell::kInline) return add_slowly(cell, now, fibre);
  save(cell);
  if (count > 0) cell.records[0] = kept[0];
  cell.records[count] = now;
  cell.count = (count + 1) & Cell::kMost;
  if (!atomic(now.access)) cell.plain = 1;
  return nullptr;
}

const char* text(Access access) {
  switch (access) {
    case Access::Read: return "read";
    case Access::Write: return "write";
    case Access::AtomicRead: return "atomic read";
    case Access::AtomicWrite: return "atomic write";
  }
  return "access";
}

__attribute__((noinline, cold)) void report(std::uint64_t address, const Record& earlier, Access access,
                                            std::uint64_t site) {
  if (in_standard_stream(address)) return;
  OutsideProgram outside;
  rt.fault_address = address;
  fail(FindingKind::DataRace,
       std::string(text(access)) + " by this thread and earlier " + text(earlier.access) +
           " by another thread of the same memory, not ordered by happens-before",
       site);
}

}  // namespace

void race_check_reset(bool numbers_again) noexcept {
  if (numbers_again) {
    raw_syscall(SYS_munmap, kShadow, history.mapped);
    history.root.fill(nullptr);
    history.mapped = 0;
    history.recent.fill({});
    history.pages.clear();
  }
  history.stamp = undo_log.step;
  history.overflow_use = {};
}

namespace {

// An access to bytes of one word.
inline void check_word(std::uint64_t address, std::uint64_t size, Access access, std::uint64_t site) {
  const Fibre& fibre = *rt.current;
  const std::uint64_t first = address & 7U;
  const auto bytes = static_cast<std::uint8_t>(((1U << size) - 1U) << first);
  const Record now = record_of(fibre, bytes, access);
  const Record* racing = add(page_of(address, true)->cells[(address & (kPage - 1)) / 8], now, fibre);
  if (racing == nullptr) [[likely]]
    return;
  report((address - first) + static_cast<std::uint64_t>(__builtin_ctz(racing->bytes & bytes)), *racing, access, site);
}

__attribute__((noinline)) void check_slowly(std::uint64_t address, std::uint64_t size, Access access,
                                            std::uint64_t site) {
  if (rt.recording) record_touch(address, size, text(access));
  if (!rt.settings.report_races) return;
  const std::uint64_t end = address + size;
  while (address < end) {
    const std::uint64_t length = std::min<std::uint64_t>(8 - (address & 7U), end - address);
    check_word(address, length, access, site);
    address += length;
  }
}

}  // namespace

void check_for_races(std::uint64_t address, std::uint64_t size, Access access, std::uint64_t site) {
  if (rt.recording || !rt.settings.report_races || (address & 7U) + size > 8) [[unlikely]] {
    return check_slowly(address, size, access, site);
  }
  check_word(address, size, access, site);
}

std::uint64_t unordered_access(std::uint64_t address, std::uint64_t size) noexcept {
  if (!rt.settings.report_races || rt.checked || rt.unwatched) return 0;
  const Fibre& fibre = *rt.current;
  const std::uint64_t end = address + size;
  for (std::uint64_t at = address & ~std::uint64_t{7}; at < end;) {
    PageCells* page = page_of(at, false);
    if (page == nullptr) {
      at = (at & ~(kPage - 1)) + kPage;
      continue;
    }
    Cell& cell = page->cells[(at & (kPage - 1)) / 8];
    for (std::size_t i = 0; cell.stamp == history.stamp && i < cell.count; ++i) {
      const Record& record = record_at(cell, i);
      if (record.thread != fibre.id.value && !ordered(record, fibre)) return at;
    }
    at += 8;
  }
  return 0;
}

void race_check_forget(std::uint64_t address, std::uint64_t size) noexcept {
  if (rt.checked) return;
  for (std::uint64_t at = address & ~std::uint64_t{7}; at < address + size; at += 8) {
    PageCells* page = page_of(at, false);
    if (page == nullptr) continue;
    Cell& cell = page->cells[(at & (kPage - 1)) / 8];
    if (cell.stamp != history.stamp) continue;
    save(cell);
    cell.stamp = 0;
  }
}

std::uint64_t race_check_fingerprint() noexcept {
  std::uint64_t sum = 0;
  for (const KnownPage& page : history.pages) {
    for (std::size_t i = 0; i < kCellsPerPage; ++i) {
      Cell cell = page.cells->cells[i];
      if (cell.stamp != history.stamp) continue;
      std::uint64_t hash = page.number * kCellsPerPage + i;
      for (std::size_t k = 0; k < cell.count; ++k) hash = mix(hash, std::bit_cast<std::uint64_t>(record_at(cell, k)));
      sum += hash;
    }
  }
  return sum;
}

}  // namespace heddle::native
