#include "model/execution.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/accesses.hpp"

namespace heddle {
namespace {

bool conflict(std::uint8_t bytes, Mode mode, std::uint8_t other_bytes, Mode other_mode) {
  return (bytes & other_bytes) != 0 && !detail::commute(mode, other_mode);
}

}  // namespace

void Execution::push(const Event& event) {
  const auto here = static_cast<Position>(entries_.size());
  ThreadHistory& own = history(event.thread);
  HEDDLE_REQUIRE(event.index == own.positions.size() + 1, "events of a thread are pushed in order");
  const bool creates = event.op.kind == OpKind::ThreadCreate;
  const bool joins = event.op.kind == OpKind::ThreadJoin;
  const ThreadId other{static_cast<std::uint16_t>(event.op.second)};
  if (creates || joins) history(other);
  const Position previous = last(event.thread);
  entries_.push_back({event, previous, last_total_, static_cast<std::uint32_t>(accesses_.size()), 0,
                      static_cast<std::uint32_t>(nodes_.size())});
  if (clocks_.size() < entries_.size() * stride_) clocks_.resize(entries_.size() * stride_ * 2);
  Tick* clock = clocks_.data() + here * stride_;
  if (previous != kNone) {
    std::copy_n(clocks_.data() + previous * stride_, stride_, clock);
  } else {
    std::fill_n(clock, stride_, 0);
  }
  if (joins && !threads_[other.value].positions.empty()) join(here, threads_[other.value].positions.back());
  if (joins && threads_[other.value].created != kNone) join(here, threads_[other.value].created);
  if (is_total(event)) {
    for (const ThreadHistory& thread : threads_) {
      if (!thread.positions.empty()) join(here, thread.positions.back());
    }
  } else if (last_total_ != kNone) {
    join(here, last_total_);
  }
  visit_accesses(event, [&](const ObjectAccess& access) {
    const std::uint32_t object = find_or_add_object(access.key);
    const Mode mode = coarse_ ? Mode::Write : access.mode;
    accesses_.push_back({object, frontiers_[object], access.bytes, mode});
    for (std::uint32_t n = frontiers_[object]; n != kNone; n = nodes_[n].next) {
      if (conflict(nodes_[n].bytes, nodes_[n].mode, access.bytes, mode)) join(here, nodes_[n].event);
    }
  });
  Entry& entry = entries_.back();
  entry.access_count = static_cast<std::uint32_t>(accesses_.size()) - entry.first_access;
  for (const Access& access : accesses(here)) frontiers_[access.object] = enter(access, here);
  clocks_[here * stride_ + event.thread.value] = event.index;
  threads_[event.thread.value].positions.push_back(here);
  if (creates) threads_[other.value].created = here;
  if (is_total(event)) last_total_ = here;
}

// The frontier after an access. A write makes everything it covers redundant: whatever conflicts with that later
// conflicts with the write too. Any other access only replaces an earlier one of its own thread and kind.
std::uint32_t Execution::enter(const Access& access, Position event) {
  const ThreadId thread = entries_[event].event.thread;
  const auto redundant = [&](const Node& node) {
    if ((node.bytes & ~access.bytes) != 0) return false;
    if (access.mode == Mode::Write) return true;
    return node.mode == access.mode && entries_[node.event].event.thread == thread;
  };
  // What stays is copied only up to the last redundant node: the rest of the list is shared.
  std::uint32_t shared = frontiers_[access.object];
  for (std::uint32_t n = shared; n != kNone; n = nodes_[n].next) {
    if (redundant(nodes_[n])) shared = nodes_[n].next;
  }
  std::uint32_t rest = shared;
  for (std::uint32_t n = frontiers_[access.object]; n != shared; n = nodes_[n].next) {
    if (redundant(nodes_[n])) continue;
    const Node kept = nodes_[n];
    nodes_.push_back({kept.event, rest, kept.bytes, kept.mode});
    rest = static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  nodes_.push_back({event, rest, access.bytes, access.mode});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void Execution::pop() {
  HEDDLE_REQUIRE(!entries_.empty(), "pop of an empty execution");
  const Entry& entry = entries_.back();
  for (std::size_t a = accesses_.size(); a-- > entry.first_access;) {
    frontiers_[accesses_[a].object] = accesses_[a].frontier;
  }
  accesses_.resize(entry.first_access);
  nodes_.resize(entry.first_node);
  last_total_ = entry.last_total;
  if (entry.event.op.kind == OpKind::ThreadCreate) threads_[entry.event.op.second].created = kNone;
  threads_[entry.event.thread.value].positions.pop_back();
  entries_.pop_back();
}

void Execution::archive(Archive& archive) {
  std::vector<Event> events;
  for (const Entry& entry : entries_) events.push_back(entry.event);
  archive(events);
  if (!archive.reading()) return;
  clear();
  for (const Event& event : events) push(event);
}

void Execution::truncate(std::size_t size) {
  while (entries_.size() > size) pop();
}

Execution::Position Execution::last(ThreadId thread) const noexcept {
  if (thread.value >= threads_.size()) return kNone;
  const ThreadHistory& own = threads_[thread.value];
  return own.positions.empty() ? own.created : own.positions.back();
}

void Execution::meet(const Event& pending, std::vector<Access>& met) const {
  visit_accesses(pending, [&](const ObjectAccess& access) {
    const std::uint32_t object = find_object(access.key);
    const Mode mode = coarse_ ? Mode::Write : access.mode;
    met.push_back({object, object == kNone ? kNone : frontiers_[object], access.bytes, mode});
  });
}

void Execution::conflicts(std::uint32_t frontier, const Access& access, std::vector<Position>& found) const {
  for (std::uint32_t n = frontier; n != kNone; n = nodes_[n].next) {
    if (conflict(nodes_[n].bytes, nodes_[n].mode, access.bytes, access.mode)) found.push_back(nodes_[n].event);
  }
}

Execution::ThreadHistory& Execution::history(ThreadId thread) {
  if (thread.value >= threads_.size()) {
    threads_.resize(thread.value + std::size_t{1});
    if (threads_.size() > stride_) widen(threads_.size());
  }
  return threads_[thread.value];
}

// Gives every clock room for more threads.
void Execution::widen(std::size_t threads) {
  const std::size_t stride = std::max(threads, stride_ * 2);
  std::vector<Tick> wider(entries_.size() * stride, 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(i * stride_), stride_,
                wider.begin() + static_cast<std::ptrdiff_t>(i * stride));
  }
  clocks_ = std::move(wider);
  stride_ = stride;
}

// An event that is already known brings nothing: its clock came along with whatever made it known.
void Execution::join(std::size_t into, std::size_t from) noexcept {
  Tick* target = clocks_.data() + into * stride_;
  const Event& event = entries_[from].event;
  if (target[event.thread.value] >= event.index) return;
  const Tick* source = clocks_.data() + from * stride_;
  for (std::size_t i = 0; i < stride_; ++i) target[i] = std::max(target[i], source[i]);
}

std::uint32_t Execution::find_object(std::uint64_t key) const noexcept {
  if (table_.empty()) return kNone;
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = (key * 0x9E3779B97F4A7C15U) >> 32U & mask;; i = (i + 1) & mask) {
    if (table_[i].object == kNone || table_[i].key == key) return table_[i].object;
  }
}

std::uint32_t Execution::find_or_add_object(std::uint64_t key) {
  const std::uint32_t known = find_object(key);
  if (known != kNone) return known;
  if ((frontiers_.size() + 1) * 2 > table_.size()) grow_table();
  const std::size_t mask = table_.size() - 1;
  std::size_t i = (key * 0x9E3779B97F4A7C15U) >> 32U & mask;
  while (table_[i].object != kNone) i = (i + 1) & mask;
  table_[i] = {key, static_cast<std::uint32_t>(frontiers_.size())};
  frontiers_.push_back(kNone);
  return table_[i].object;
}

void Execution::grow_table() {
  const std::vector<Slot> old = std::move(table_);
  table_.assign(std::max<std::size_t>(64, old.size() * 2), {0, kNone});
  const std::size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.object == kNone) continue;
    std::size_t i = (slot.key * 0x9E3779B97F4A7C15U) >> 32U & mask;
    while (table_[i].object != kNone) i = (i + 1) & mask;
    table_[i] = slot;
  }
}

}  // namespace heddle
