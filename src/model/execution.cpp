#include "model/execution.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "model/accesses.hpp"

namespace heddle {
namespace {

bool touches_thread(OpKind kind) noexcept {
  return traits(kind).second.object == ObjectClass::Thread && kind != OpKind::ThreadCreate;
}

// Whether the event, there or somewhere else in the execution, may come out as one that depends on everything.
bool varies(const Event& event) noexcept {
  return (event.several && event.announced != OpKind::Choose) || event.op.timed || event.announced == OpKind::WeakCas;
}

}  // namespace

// Whether a thread whose last event is `previous` does not know of an event of another thread.
bool Execution::unknown_to(Position previous, ThreadId thread, Position event) const noexcept {
  return steps_[event].thread != thread && (previous == kNone || !happens_before(event, previous));
}

void Execution::push(const Event& event) {
  const auto here = static_cast<Position>(size());
  const std::uint32_t index = static_cast<std::uint32_t>(history(event.thread).positions.size()) + 1;
  HEDDLE_REQUIRE(event.index == index, "events of a thread are pushed in order");
  const bool creates = event.op.kind == OpKind::ThreadCreate;
  const bool joins = event.op.kind == OpKind::ThreadJoin;
  const ThreadId other{static_cast<std::uint16_t>(event.op.second)};
  if (creates || joins) history(other);
  const Position previous = last(event.thread);
  const bool total = is_total(event);
  bool contended = total;
  entries_.emplace_back(event, previous, last_total_, static_cast<std::uint32_t>(accesses_.size()), 0U,
                        static_cast<std::uint32_t>(nodes_.size()), false);
  const Outcome outcome = std::min<Outcome>(event.outcome, kManyOutcomes);
  steps_.push_back({event.thread, static_cast<std::uint16_t>(outcome), event.index});
  if (clocks_.size() < size() * stride_) clocks_.resize(size() * stride_ * 2);
  Tick* clock = clocks_.data() + here * stride_;
  if (previous != kNone) {
    copy_ticks(clock, clocks_.data() + previous * stride_, stride_);
  } else {
    std::fill_n(clock, stride_, 0);
  }
  if (joins) {
    const ThreadHistory& joined = threads_[other.value];
    if (!joined.positions.empty()) {
      contended =
          contended || (may_give_up_joining(event) && unknown_to(previous, event.thread, joined.positions.back()));
      join(here, joined.positions.back());
    }
    if (joined.created != kNone) join(here, joined.created);
  }
  if (total) {
    for (const ThreadHistory& thread : threads_) {
      if (!thread.positions.empty()) join(here, thread.positions.back());
    }
  } else {
    for (const Position earlier : {last_total_, last_attempt(event.thread, here)}) {
      if (earlier == kNone) continue;
      contended = contended || unknown_to(previous, event.thread, earlier);
      join(here, earlier);
    }
  }
  visit_accesses(
      event, [&](const ObjectAccess& access) __attribute__((always_inline)) {
        const std::uint32_t object = find_or_add_object(access.key);
        const Mode mode = coarse_ ? Mode::Write : access.mode;
        accesses_.push_back({object, objects_[object].frontier, access.bytes, mode});
        visit_conflicts(objects_[object].frontier, access.bytes, mode, [&](Position earlier) {
          contended = contended || unknown_to(previous, event.thread, earlier);
          join(here, earlier);
        });
      });
  Entry& entry = entries_.back();
  entry.contended = contended;
  entry.access_count = static_cast<std::uint32_t>(accesses_.size()) - entry.first_access;
  for (std::uint32_t a = entry.first_access; a < accesses_.size(); ++a) {
    Object& object = objects_[accesses_[a].object];
    object.frontier = enter(accesses_[a], here);
    const Touch touch{here, accesses_[a].bytes, accesses_[a].mode};
    object.accesses.push_back(touch);
    if (touch.mode != Mode::Read) object.changes.push_back(touch);
  }
  Place place;
  if (entry.access_count == 1 && !creates && !joins && !total) {
    const Access& access = accesses_.back();
    place = {access.object, access.bytes, access.mode};
  }
  places_.push_back(place);
  clocks_[here * stride_ + event.thread.value] = event.index;
  threads_[event.thread.value].positions.push_back(here);
  if (creates) threads_[other.value].created = here;
  if (creates || joins) threads_[other.value].object = accesses_.back().object;
  if (total) last_total_ = here;
  if (touches_thread(event.op.kind)) ++touched_threads_;
  if (varies(event)) ++varying_;
  if (may_give_up_joining(event)) ++attempts_;
}

Execution::Position Execution::attempt_before(const ThreadHistory& thread, std::size_t position) const noexcept {
  if (thread.object == kNone) return kNone;
  const std::vector<Touch>& touches = objects_[thread.object].accesses;
  auto at = std::lower_bound(touches.begin(), touches.end(), position,
                             [](const Touch& touch, std::size_t k) { return touch.event < k; });
  while (at != touches.begin()) {
    --at;
    if (may_give_up_joining(entries_[at->event].event)) return at->event;
  }
  return kNone;
}

Execution::Position Execution::last_before(ThreadId thread, std::size_t position) const noexcept {
  if (thread.value >= threads_.size()) return kNone;
  const std::vector<Position>& positions = threads_[thread.value].positions;
  const auto behind = std::lower_bound(positions.begin(), positions.end(), position);
  return behind == positions.begin() ? kNone : *std::prev(behind);
}

bool Execution::only_created(ThreadId thread) const noexcept {
  const std::uint32_t object =
      thread.value < threads_.size() && threads_[thread.value].object != kNone
          ? threads_[thread.value].object
          : find_object(detail::object_key(static_cast<std::uint64_t>(ObjectClass::Thread), thread.value));
  if (object == kNone || objects_[object].accesses.empty()) return true;
  return thread.value < threads_.size() && objects_[object].accesses.back().event == threads_[thread.value].created;
}

Execution::Place Execution::place(const Event& event) const {
  if (event.op.kind == OpKind::ThreadCreate || event.op.kind == OpKind::ThreadJoin || is_total(event)) return {};
  Place place;
  std::size_t accesses = 0;
  visit_accesses(event, [&](const ObjectAccess& access) {
    place = {find_object(access.key), access.bytes, coarse_ ? Mode::Write : access.mode};
    ++accesses;
  });
  return accesses == 1 ? place : Place{};
}

// The frontier after an access. A write makes everything it covers redundant: whatever conflicts with that later
// conflicts with the write too. Any other access only replaces an earlier one of its own thread and kind to the same
// bytes: what conflicts with a read of one byte, an attempt at two, need not conflict with a read of both.
std::uint32_t Execution::enter(const Access& access, Position event) {
  const ThreadId thread = steps_[event].thread;
  const auto redundant = [&](const Node& node) {
    if (access.mode == Mode::Write) return (node.bytes & ~access.bytes) == 0;
    return node.mode == access.mode && node.bytes == access.bytes && steps_[node.event].thread == thread;
  };
  // What stays is copied only up to the last redundant node: the rest of the list is shared.
  const std::uint32_t frontier = objects_[access.object].frontier;
  std::uint32_t shared = frontier;
  for (std::uint32_t n = shared; n != kNone; n = nodes_[n].next) {
    if (redundant(nodes_[n])) shared = nodes_[n].next;
  }
  std::uint32_t rest = shared;
  for (std::uint32_t n = frontier; n != shared; n = nodes_[n].next) {
    if (redundant(nodes_[n])) continue;
    const Node kept = nodes_[n];
    rest = add_node(kept.event, rest, kept.bytes, kept.mode);
  }
  return add_node(event, rest, access.bytes, access.mode);
}

std::uint32_t Execution::add_node(Position event, std::uint32_t next, std::uint8_t bytes, Mode mode) {
  nodes_.push_back({event, next, change_from(next), bytes, mode});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void Execution::pop() {
  HEDDLE_REQUIRE(!entries_.empty(), "pop of an empty execution");
  truncate(size() - 1);
}

void Execution::truncate(std::size_t size) {
  if (size >= steps_.size()) return;
  for (std::size_t k = steps_.size(); k-- > size;) {
    const Event& event = entries_[k].event;
    if (event.op.kind == OpKind::ThreadCreate) threads_[event.op.second].created = kNone;
    if (touches_thread(event.op.kind)) --touched_threads_;
    if (varies(event)) --varying_;
    if (may_give_up_joining(event)) --attempts_;
    threads_[event.thread.value].positions.pop_back();
  }
  const Entry& first = entries_[size];
  for (std::size_t a = accesses_.size(); a-- > first.first_access;) {
    Object& object = objects_[accesses_[a].object];
    object.frontier = accesses_[a].frontier;
    object.accesses.pop_back();
    if (accesses_[a].mode != Mode::Read) object.changes.pop_back();
  }
  accesses_.resize(first.first_access);
  nodes_.resize(first.first_node);
  last_total_ = first.last_total;
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(size), entries_.end());
  steps_.resize(size);
  places_.resize(size);
}

void Execution::archive(Archive& archive) {
  std::vector<Event> events;
  for (const Entry& entry : entries_) events.push_back(entry.event);
  archive(events);
  // Objects keep their numbers, which places have.
  std::vector<std::uint64_t> keys(objects_.size());
  for (const Slot& slot : table_) {
    if (slot.object != kNone) keys[slot.object] = slot.key;
  }
  archive(keys);
  if (!archive.reading()) return;
  clear();
  for (const std::uint64_t key : keys) find_or_add_object(key);
  for (const Event& event : events) push(event);
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
    met.push_back({object, object == kNone ? kNone : objects_[object].frontier, access.bytes, mode});
  });
}

void Execution::conflicts(std::uint32_t frontier, const Access& access, std::vector<Position>& found) const {
  visit_conflicts(frontier, access.bytes, access.mode, [&](Position event) { found.push_back(event); });
}

void Execution::meet(ThreadId thread) {
  threads_.resize(thread.value + std::size_t{1});
  if (threads_.size() > stride_) widen(threads_.size());
}

// Gives every clock room for more threads.
void Execution::widen(std::size_t threads) {
  const std::size_t stride = heddle::clock_length(threads);
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
  const Step step = steps_[from];
  if (target[step.thread.value] >= step.index) return;
  join_ticks(target, clocks_.data() + from * stride_, stride_);
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
  if ((objects_.size() + 1) * 2 > table_.size()) grow_table();
  const std::size_t mask = table_.size() - 1;
  std::size_t i = (key * 0x9E3779B97F4A7C15U) >> 32U & mask;
  while (table_[i].object != kNone) i = (i + 1) & mask;
  table_[i] = {key, static_cast<std::uint32_t>(objects_.size())};
  objects_.emplace_back();
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
