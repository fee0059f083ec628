// An execution with its happens-before relation.
//
// The events performed so far, in order, each with a vector clock such that
//     event i happens before (or is) event k   iff   clock(k)[thread(i)] >= index(i)          (algorithms.md 3.1)
// Happens-before is the transitive closure of "earlier and dependent".
//
// Each object keeps its frontier: the accesses to it that no later one makes redundant (the last write, and what came
// after it), so that pushing an event costs a few steps per object and one pass over the threads. Frontiers are
// immutable lists: an event remembers the frontier it met, which serves twice. Popping the event puts it back, and
// looking for races long after the event was pushed finds exactly what the event met.
//
// All accesses to an object are listed, too: whoever asks what depends on an event need only look at the events that
// share an object with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/archive.hpp"
#include "base/ticks.hpp"
#include "model/accesses.hpp"
#include "model/dependency.hpp"
#include "model/operation.hpp"

namespace heddle {

class Execution {
 public:
  using Tick = heddle::Tick;
  using Position = std::uint32_t;
  static constexpr Position kNone = std::numeric_limits<Position>::max();

  // One access of an event, or of an operation that is only pending.
  struct Access {
    std::uint32_t object = kNone;    // kNone: an object that nobody has accessed yet
    std::uint32_t frontier = kNone;  // of the object, as the access meets it: head of a list of nodes
    std::uint8_t bytes = 1;          // which bytes of a word; 1 for objects that are no memory
    Mode mode = Mode::Write;
  };

  // Coarse: any two accesses to one object are taken to conflict, reads too.
  explicit Execution(bool coarse = false) : coarse_(coarse) {}

  // Appends an event. Its index must be the next of its thread.
  void push(const Event& event);
  void pop();
  void truncate(std::size_t size);
  void clear() { truncate(0); }
  // The events; all else follows from them.
  void archive(Archive& archive);

  [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }
  [[nodiscard]] const Event& operator[](std::size_t i) const noexcept { return entries_[i].event; }
  // Clocks have one component for each thread met so far, and some more, up to a multiple of four, which are 0; a
  // thread met later counts as 0.
  [[nodiscard]] std::size_t clock_length() const noexcept { return stride_; }
  [[nodiscard]] std::span<const Tick> clock(std::size_t i) const noexcept {
    return {clocks_.data() + i * stride_, stride_};
  }

  // Whether event i happens before event k, or is it.
  [[nodiscard]] bool happens_before(std::size_t i, std::size_t k) const noexcept {
    const Step earlier = steps_[i];
    return clocks_[k * stride_ + earlier.thread.value] >= earlier.index;
  }

  // Whose step an event is, and which: what is asked most, close together.
  struct Step {
    ThreadId thread;
    std::uint16_t outcome;  // kManyOutcomes: that or more
    std::uint32_t index;
  };
  static constexpr std::uint16_t kManyOutcomes = std::numeric_limits<std::uint16_t>::max();
  [[nodiscard]] bool has_outcome(std::size_t k, Outcome outcome) const noexcept {
    return outcome < kManyOutcomes ? steps_[k].outcome == outcome : entries_[k].event.outcome == outcome;
  }
  [[nodiscard]] Step step(std::size_t k) const noexcept { return steps_[k]; }

  // The event that every event of its thread from event k on follows whatever the schedule: the thread's previous one,
  // or the creation of the thread. kNone if there is none.
  [[nodiscard]] Position previous(std::size_t k) const noexcept { return entries_[k].previous; }
  // The same for the next event of a thread, which has not been performed.
  [[nodiscard]] Position last(ThreadId thread) const noexcept;
  [[nodiscard]] std::size_t events_of(ThreadId thread) const noexcept {
    return thread.value < threads_.size() ? threads_[thread.value].positions.size() : 0;
  }
  // The event of a thread with this index.
  [[nodiscard]] Position position(ThreadId thread, std::uint32_t index) const noexcept {
    return threads_[thread.value].positions[index - 1];
  }
  // The last event of a thread before a position; kNone if there is none.
  [[nodiscard]] Position last_before(ThreadId thread, std::size_t position) const noexcept;
  [[nodiscard]] std::size_t thread_count() const noexcept { return threads_.size(); }
  // The last event before a position that attempts to join the thread: one that gave up is before the thread's next
  // event. kNone if there is none.
  [[nodiscard]] Position last_attempt(ThreadId thread, std::size_t position) const noexcept {
    if (attempts_ == 0 || thread.value >= threads_.size()) return kNone;
    return attempt_before(threads_[thread.value], position);
  }

  // Whether event k has conflicts that may be races: with events of other threads that are not before it anyway, by
  // what its thread has done and seen before.
  [[nodiscard]] bool contended(std::size_t k) const noexcept { return entries_[k].contended; }

  // Whether all that a join of the thread would depend on are the thread's own events and its creation; also if some
  // event had come out otherwise: what ends by itself may then depend on everything.
  [[nodiscard]] bool touched_by_none(ThreadId thread) const noexcept {
    return last_total_ == kNone && varying_ == 0 && (touched_threads_ == 0 || only_created(thread));
  }

  // Where the events are that depend on one: at an object, if it accesses a single one and depends on others by nothing
  // else. If not, the object is kNone, and the event itself has to be looked at.
  struct Place {
    std::uint32_t object = kNone;
    std::uint8_t bytes = 0;
    Mode mode = Mode::Write;
  };
  [[nodiscard]] Place place(std::size_t k) const noexcept { return places_[k]; }
  [[nodiscard]] Place place(const Event& event) const;
  // Whether two events of different threads are dependent.
  [[nodiscard]] static bool dependent(const Event& a, Place at, const Event& b, Place bt) noexcept {
    if (at.object == kNone || bt.object == kNone) return heddle::dependent(a, b);
    return conflict(at, bt);
  }
  [[nodiscard]] static bool conflict(Place a, Place b) noexcept {
    return a.object == b.object && detail::conflict(a.bytes, a.mode, b.bytes, b.mode);
  }
  // Whether it is plain that no event of another thread, from position `from` on, depends on one at this place.
  [[nodiscard]] bool untouched_from(std::size_t from, ThreadId thread, Place place) const noexcept {
    if (place.object == kNone || touched_threads_ != 0 || thread.value >= threads_.size()) return false;
    const auto before = [&](Position k) { return k == kNone || k < from; };
    if (!before(last_total_) || !before(threads_[thread.value].created)) return false;
    const Object& object = objects_[place.object];
    const std::vector<Touch>& touches = place.mode == Mode::Read ? object.changes : object.accesses;
    return touches.empty() || touches.back().event < from;
  }
  // Whether `holds` is true of some event of another thread, from position `from` on, that depends on this one.
  template <typename Holds>
  [[nodiscard]] bool any_dependent(const Event& event, Place place, std::size_t from, Holds holds) const;

  [[nodiscard]] std::span<const Access> accesses(std::size_t k) const noexcept {
    return {accesses_.data() + entries_[k].first_access, entries_[k].access_count};
  }
  // What a pending operation would meet now.
  void meet(const Event& pending, std::vector<Access>& met) const;
  // Adds the events of a frontier that an access conflicts with.
  void conflicts(std::uint32_t frontier, const Access& access, std::vector<Position>& found) const;
  // The last event before event k (k = size(): of all) that depends on everything; kNone if there is none.
  [[nodiscard]] Position last_total(std::size_t k) const noexcept {
    return k < size() ? entries_[k].last_total : last_total_;
  }

 private:
  struct Entry {
    Event event;
    Position previous;
    Position last_total;  // before this event
    std::uint32_t first_access;
    std::uint32_t access_count;
    std::uint32_t first_node;
    bool contended;
  };
  struct Touch {
    Position event;
    std::uint8_t bytes;
    Mode mode;
  };
  struct Object {
    std::uint32_t frontier = kNone;
    std::vector<Touch> accesses;
    std::vector<Touch> changes;  // those of them that do not just read
  };
  struct Node {
    Position event;
    std::uint32_t next;
    std::uint32_t next_change;  // the next one that does not just read: there may be many readers in between
    std::uint8_t bytes;
    Mode mode;
  };
  struct ThreadHistory {
    std::vector<Position> positions;
    Position created = kNone;
    std::uint32_t object = kNone;  // the thread itself, which it is created and joined as
  };
  struct Slot {
    std::uint64_t key;
    std::uint32_t object;
  };

  ThreadHistory& history(ThreadId thread) {
    if (thread.value >= threads_.size()) meet(thread);
    return threads_[thread.value];
  }
  void meet(ThreadId thread);
  void widen(std::size_t threads);
  void join(std::size_t into, std::size_t from) noexcept;
  [[nodiscard]] bool only_created(ThreadId thread) const noexcept;
  [[nodiscard]] Position attempt_before(const ThreadHistory& thread, std::size_t position) const noexcept;
  [[nodiscard]] bool unknown_to(Position previous, ThreadId thread, Position event) const noexcept;
  [[nodiscard]] static std::span<const Touch> touches_from(const std::vector<Touch>& touches,
                                                           std::size_t from) noexcept;
  std::uint32_t enter(const Access& access, Position event);
  std::uint32_t add_node(Position event, std::uint32_t next, std::uint8_t bytes, Mode mode);
  // The first node from this one on that is no read.
  [[nodiscard]] std::uint32_t change_from(std::uint32_t node) const noexcept {
    return node == kNone || nodes_[node].mode != Mode::Read ? node : nodes_[node].next_change;
  }
  // Calls `visit` with each event of a frontier that an access conflicts with.
  template <typename Visit>
  void visit_conflicts(std::uint32_t frontier, std::uint8_t bytes, Mode mode, Visit visit) const {
    const bool reads = mode == Mode::Read;  // reads commute
    for (std::uint32_t n = reads ? change_from(frontier) : frontier; n != kNone;) {
      const Node& node = nodes_[n];
      if (detail::conflict(node.bytes, node.mode, bytes, mode)) visit(node.event);
      n = reads ? node.next_change : node.next;
    }
  }
  [[nodiscard]] std::uint32_t find_object(std::uint64_t key) const noexcept;
  std::uint32_t find_or_add_object(std::uint64_t key);
  void grow_table();

  bool coarse_;
  std::vector<Entry> entries_;
  std::vector<Step> steps_;
  std::vector<Place> places_;
  std::vector<Tick> clocks_;  // stride_ per event, and room for more
  std::size_t stride_ = kTicksAtOnce;
  std::vector<Access> accesses_;
  std::vector<Node> nodes_;
  std::vector<ThreadHistory> threads_;
  Position last_total_ = kNone;
  std::size_t touched_threads_ = 0;  // events that do something to a thread and do not create it
  std::size_t attempts_ = 0;         // to join a thread
  std::size_t varying_ = 0;          // events that may come out otherwise, and are no data choices
  std::vector<Object> objects_;
  std::vector<Slot> table_;  // objects by key: open addressing
};

inline std::span<const Execution::Touch> Execution::touches_from(const std::vector<Touch>& touches,
                                                                 std::size_t from) noexcept {
  const Touch* begin = touches.data();
  const Touch* const end = begin + touches.size();
  // Mostly all of them, or none.
  if (begin != end && begin->event < from) {
    if (end[-1].event < from) return {};
    begin = std::lower_bound(begin, end, from, [](const Touch& touch, std::size_t k) { return touch.event < k; });
  }
  return {begin, end};
}

// Dependence is by objects, by threads that are created or joined, or total: see dependent() and accesses.hpp.
template <typename Holds>
bool Execution::any_dependent(const Event& event, Place place, std::size_t from, Holds holds) const {
  if (place.object == kNone && is_total(event)) {
    for (std::size_t k = from; k < size(); ++k) {
      if (holds(k)) return true;
    }
    return false;
  }
  for (Position k = last_total_; k != kNone && k >= from; k = entries_[k].last_total) {
    if (holds(k)) return true;
  }
  if (place.object != kNone) {
    const Object& object = objects_[place.object];
    // Reads commute, and there may be many.
    for (const Touch& touch : touches_from(place.mode == Mode::Read ? object.changes : object.accesses, from)) {
      if (detail::conflict(touch.bytes, touch.mode, place.bytes, place.mode) && holds(touch.event)) return true;
    }
  }
  const auto asked_about = [&](std::uint32_t object) {
    if (object == kNone) return false;
    const std::span<const Touch> touches = touches_from(objects_[object].accesses, from);
    return std::any_of(touches.begin(), touches.end(), [&](const Touch& touch) {
      return holds(touch.event) && heddle::dependent(event, entries_[touch.event].event);
    });
  };
  if (event.thread.value < threads_.size() && asked_about(threads_[event.thread.value].object)) return true;
  if (place.object != kNone) return false;
  bool found = false;
  visit_accesses(event, [&](const ObjectAccess& access) { found = found || asked_about(find_object(access.key)); });
  if (found) return true;
  if ((event.op.kind == OpKind::ThreadCreate || event.op.kind == OpKind::ThreadJoin) &&
      event.op.second < threads_.size()) {
    const std::vector<Position>& positions = threads_[event.op.second].positions;
    for (std::size_t i = positions.size(); i-- > 0 && positions[i] >= from;) {
      if (holds(positions[i])) return true;
    }
  }
  return false;
}

}  // namespace heddle
