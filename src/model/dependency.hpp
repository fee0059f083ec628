// The dependency relation, one table over all pairs of kinds.
//
// Every kind declares which classes of object it accesses and how (kTraits: a kind without a row does not compile). Two
// accesses to overlapping objects of one class commute only if their modes say so; everything else is dependent:
//
//   Read  with Read   commute: neither changes the object.
//   Add   with Add    commute: both enlarge or shrink a set whose order nobody sees (waiters of a condition variable,
//                     readers inside a rwlock).
//   Attempt           (a compare-exchange that failed) with Read or Attempt: commute if the other covers all its bytes.
//   all other pairs   do not. In particular Add and Read: a lost signal and the wait it missed do not commute.
//
// What an operation does may depend on the state: a compare-exchange that fails only reads. The searches then need more
// than that independent steps commute (Abdulla et al. 2014, definition 3.2, property 7): if p and r are dependent, and
// q is independent of p, then p and r are dependent behind q, too. Let r be a compare-exchange of two bytes that would
// succeed, p a read of the first and q a write to the second: behind q, r fails and only reads. So it depends on p all
// the same, unless p reads both bytes, when q depends on p. In the same way a futex wait that finds another value than
// expected (written by q) depends on the wakes of that futex (p) although it does not get into the queue.
//
// The table (kRelation) is computed from the traits at compile time: it says whether two kinds never conflict, always
// do, or conflict if they touch the same object. `dependent` then looks at the objects.
#pragma once

#include <array>
#include <cstdint>

#include "model/operation.hpp"

namespace heddle {

enum class ObjectClass : std::uint8_t {
  None,
  Memory,
  Mutex,
  RwLock,
  Semaphore,
  Condition,
  Barrier,
  Once,
  Thread,
  Futex,
  Channel,
  Signals,  // all of them are one object
  Any
};
enum class Mode : std::uint8_t { Read, Attempt, Add, Write };

struct AccessTrait {
  ObjectClass object = ObjectClass::None;
  Mode mode = Mode::Write;
};

// `first` is an access to Operation::object, `second` to Operation::second (or, for futexes, to the queue that goes
// with the memory word); `wakes`: takes part in wake-ups through Event::woken.
struct KindTraits {
  OpKind kind;
  AccessTrait first;
  AccessTrait second;
  bool wakes = false;
};

namespace detail {

using enum ObjectClass;
using enum Mode;
inline constexpr AccessTrait kNone{};

inline constexpr std::array<KindTraits, kOpKinds> kTraits{{
    {OpKind::Load, {Memory, Read}, kNone},
    {OpKind::Store, {Memory, Write}, kNone},
    {OpKind::Rmw, {Memory, Write}, kNone},
    {OpKind::Cas, {Memory, Write}, kNone},
    {OpKind::CasFail, {Memory, Attempt}, kNone},
    {OpKind::WeakCas, {Memory, Write}, kNone},
    {OpKind::MutexLock, {Mutex, Write}, kNone},
    {OpKind::MutexTryLock, {Mutex, Write}, kNone},
    {OpKind::MutexLockFail, {Mutex, Read}, kNone},
    {OpKind::MutexUnlock, {Mutex, Write}, kNone},
    {OpKind::MutexAbandon, {Mutex, Write}, kNone},  // by a thread that ends, of a robust mutex
    {OpKind::RwReadLock, {RwLock, Add}, kNone},
    {OpKind::RwWriteLock, {RwLock, Write}, kNone},
    {OpKind::RwTryLock, {RwLock, Write}, kNone},
    {OpKind::RwLockFail, {RwLock, Read}, kNone},
    {OpKind::RwReadUnlock, {RwLock, Add}, kNone},
    {OpKind::RwWriteUnlock, {RwLock, Write}, kNone},
    {OpKind::SemWait, {Semaphore, Write}, kNone},
    {OpKind::SemTryWait, {Semaphore, Write}, kNone},
    {OpKind::SemWaitFail, {Semaphore, Read}, kNone},
    {OpKind::SemPost, {Semaphore, Write}, kNone},
    {OpKind::SemRead, {Semaphore, Read}, kNone},
    {OpKind::CondWait, {Condition, Add}, {Mutex, Write}},
    {OpKind::CondWake, kNone, {Mutex, Write}, true},
    {OpKind::CondTimeout, {Condition, Add}, {Mutex, Write}},
    {OpKind::CondSignal, {Condition, Write}, kNone, true},
    {OpKind::CondBroadcast, {Condition, Write}, kNone, true},
    {OpKind::CondSignalLost, {Condition, Read}, kNone},
    {OpKind::BarrierArrive, {Barrier, Write}, kNone},
    {OpKind::BarrierLeave, {Barrier, Read}, kNone},
    {OpKind::OnceBegin, {Once, Write}, kNone},
    {OpKind::OnceSeen, {Once, Read}, kNone},
    {OpKind::OnceEnd, {Once, Write}, {Memory, Write}},  // the guard byte of a static local is read as memory
    {OpKind::ThreadCreate, kNone, {Thread, Write}},
    {OpKind::ThreadJoin, kNone, {Thread, Write}},
    {OpKind::ThreadDetach, kNone, {Thread, Write}},
    {OpKind::FutexWait, {Memory, Read}, {Futex, Add}},
    {OpKind::FutexMiss, {Memory, Read}, {Futex, Add}},
    {OpKind::FutexReturn, kNone, kNone, true},
    {OpKind::FutexTimeout, kNone, {Futex, Add}},
    {OpKind::FutexWake, kNone, {Futex, Write}, true},
    {OpKind::FutexWakeLost, kNone, {Futex, Read}},
    {OpKind::FutexRequeue, {Any, Write}, kNone, true},
    {OpKind::ChannelRead, {Channel, Write}, kNone},
    {OpKind::ChannelWrite, {Channel, Write}, kNone},
    {OpKind::ChannelClose, {Channel, Write}, kNone},
    {OpKind::ChannelLook, {Channel, Read}, kNone},
    {OpKind::Poll, {Any, Write}, kNone},  // of several channels
    {OpKind::SignalSend, {Signals, Write}, kNone},
    {OpKind::SignalWait, {Signals, Write}, kNone},
    {OpKind::SignalMask, {Signals, Write}, kNone},
    {OpKind::ThreadCancel, {Any, Write}, kNone},  // changes what every later cancellation point of the thread does
    {OpKind::CancelPoint, {Any, Write}, kNone},
    {OpKind::System, {Any, Write}, kNone},
    {OpKind::Await, {Memory, Read}, kNone},
    {OpKind::Choose, kNone, kNone},
    {OpKind::Allocate, kNone, kNone},  // one that fails depends on everything: failures are counted
    {OpKind::Unknown, {Any, Write}, kNone},
}};

consteval bool rows_in_order() {
  for (std::size_t i = 0; i < kOpKinds; ++i) {
    if (kTraits[i].kind != static_cast<OpKind>(i)) return false;
  }
  return true;
}
static_assert(rows_in_order(), "kTraits needs one row per kind, in the order of OpKind");

// Whether they do whatever the bytes.
constexpr bool commute(Mode a, Mode b) { return a == b && (a == Read || a == Add); }

constexpr bool only_reads(Mode mode) { return mode == Read || mode == Attempt; }

// Accesses to one object, or to one word of memory.
constexpr bool conflict(std::uint8_t bytes, Mode mode, std::uint8_t other_bytes, Mode other_mode) {
  if ((bytes & other_bytes) == 0 || commute(mode, other_mode)) return false;
  if (!only_reads(mode) || !only_reads(other_mode)) return true;
  return (mode == Attempt && (bytes & ~other_bytes) != 0) || (other_mode == Attempt && (other_bytes & ~bytes) != 0);
}

// Whether accesses of these traits can conflict at all, given the same object.
constexpr bool may_conflict(AccessTrait a, AccessTrait b) {
  return a.object != None && a.object == b.object && !commute(a.mode, b.mode);
}

}  // namespace detail

enum class Relation : std::uint8_t { Independent, IfSameObject, Dependent };

[[nodiscard]] constexpr const KindTraits& traits(OpKind kind) noexcept {
  return detail::kTraits[static_cast<std::size_t>(kind)];
}

// Whether an operation of this kind leaves everything as it is.
[[nodiscard]] constexpr bool kind_only_reads(OpKind kind) noexcept {
  if (kind == OpKind::FutexMiss) return true;
  const auto reads = [](AccessTrait access) {
    return access.object == ObjectClass::None || detail::only_reads(access.mode);
  };
  return reads(traits(kind).first) && reads(traits(kind).second);
}

namespace detail {

constexpr Relation relate(const KindTraits& a, const KindTraits& b) {
  if (a.first.object == Any || b.first.object == Any) return Relation::Dependent;
  const bool objects = may_conflict(a.first, b.first) || may_conflict(a.first, b.second) ||
                       may_conflict(a.second, b.first) || may_conflict(a.second, b.second);
  return objects || (a.wakes && b.wakes) ? Relation::IfSameObject : Relation::Independent;
}

consteval auto relation_table() {
  std::array<std::array<Relation, kOpKinds>, kOpKinds> table{};
  for (std::size_t i = 0; i < kOpKinds; ++i) {
    for (std::size_t j = 0; j < kOpKinds; ++j) table[i][j] = relate(kTraits[i], kTraits[j]);
  }
  return table;
}

inline constexpr auto kRelation = relation_table();

}  // namespace detail

[[nodiscard]] constexpr Relation relation(OpKind a, OpKind b) noexcept {
  return detail::kRelation[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

namespace detail {

struct Range {
  std::uint64_t begin;
  std::uint64_t length;
};

constexpr bool overlap(Range a, Range b) noexcept {
  return a.begin < b.begin + b.length && b.begin < a.begin + a.length;
}

// The range an access covers. Memory is as long as the access; every other object is named by its first byte.
constexpr Range first_range(const Operation& op) noexcept {
  const bool memory = traits(op.kind).first.object == ObjectClass::Memory;
  return {op.object, memory && op.size > 0 ? op.size : 1};
}

constexpr bool covers(Range a, Range b) noexcept {
  return a.begin <= b.begin && b.begin + b.length <= a.begin + a.length;
}

// Attempts at more than a word are taken to conflict with everything: accesses are looked at word by word.
constexpr bool covers_attempt(AccessTrait trait, Range read, Range attempt) noexcept {
  if (trait.mode != Mode::Attempt) return true;
  return covers(read, attempt) && attempt.begin / 8 == (attempt.begin + attempt.length - 1) / 8;
}

constexpr bool conflict(AccessTrait a, Range at, AccessTrait b, Range bt) noexcept {
  if (!may_conflict(a, b) || !overlap(at, bt)) return false;
  return !only_reads(a.mode) || !only_reads(b.mode) || !covers_attempt(a, bt, at) || !covers_attempt(b, at, bt);
}

constexpr Range second_range(const Operation& op) noexcept {
  const bool futex = traits(op.kind).second.object == ObjectClass::Futex;  // its queue is named by the word itself
  return {futex ? op.object : op.second, 1};
}

constexpr bool governs(const Event& creator_or_joiner, const Event& other) noexcept {
  const OpKind kind = creator_or_joiner.op.kind;
  return (kind == OpKind::ThreadCreate || kind == OpKind::ThreadJoin) &&
         creator_or_joiner.op.second == other.thread.value;
}

// For kinds that conflict if they touch the same object: whether they do.
[[nodiscard]] constexpr bool share_object(const Event& a, const Event& b) noexcept {
  if ((a.woken & b.woken) != 0) return true;
  const KindTraits& ka = traits(a.op.kind);
  const KindTraits& kb = traits(b.op.kind);
  return conflict(ka.first, first_range(a.op), kb.first, first_range(b.op)) ||
         conflict(ka.first, first_range(a.op), kb.second, second_range(b.op)) ||
         conflict(ka.second, second_range(a.op), kb.first, first_range(b.op)) ||
         conflict(ka.second, second_range(a.op), kb.second, second_range(b.op));
}

}  // namespace detail

// Whether an event, or pending operation, is a join that need not wait: before the joined thread's last event it would
// have given up. It has a race with that event, which other joins have not.
[[nodiscard]] constexpr bool may_give_up_joining(const Event& event) noexcept {
  return event.op.kind == OpKind::ThreadJoin && event.op.timed;
}

// Whether two events of different threads are dependent. Events of one thread always are; so are the creation of a
// thread, or its join, with that thread's events.
[[nodiscard]] constexpr bool dependent(const Event& a, const Event& b) noexcept {
  if (a.thread == b.thread || a.total || b.total || detail::governs(a, b) || detail::governs(b, a)) return true;
  switch (relation(a.op.kind, b.op.kind)) {
    case Relation::Independent: return false;
    case Relation::Dependent: return true;
    case Relation::IfSameObject: return detail::share_object(a, b);
  }
  return true;
}

}  // namespace heddle
