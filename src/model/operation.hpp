// Operations: what a thread is about to do, or has done. An operation is a value; an event is an operation performed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "base/ids.hpp"

namespace heddle {

// The kinds, each both as announced (pending) and as performed. Where the outcome decides what an operation amounts to,
// the performed event has the kind that says so: a compare-exchange that fails is a CasFail, which only reads.
// X(name, text for people)
#define HEDDLE_OP_KINDS(X)                               \
  X(Load, "load")                                        \
  X(Store, "store")                                      \
  X(Rmw, "read-modify-write")                            \
  X(Cas, "compare-exchange")                             \
  X(CasFail, "failed compare-exchange")                  \
  X(WeakCas, "weak compare-exchange")                    \
  X(MutexLock, "lock")                                   \
  X(MutexTryLock, "try-lock")                            \
  X(MutexLockFail, "failed lock")                        \
  X(MutexUnlock, "unlock")                               \
  X(MutexAbandon, "end holding")                         \
  X(RwReadLock, "read-lock")                             \
  X(RwWriteLock, "write-lock")                           \
  X(RwTryLock, "try-lock of a rwlock")                   \
  X(RwLockFail, "failed lock of a rwlock")               \
  X(RwReadUnlock, "read-unlock")                         \
  X(RwWriteUnlock, "write-unlock")                       \
  X(SemWait, "semaphore wait")                           \
  X(SemTryWait, "semaphore try-wait")                    \
  X(SemWaitFail, "failed semaphore wait")                \
  X(SemPost, "semaphore post")                           \
  X(SemRead, "semaphore read")                           \
  X(CondWait, "condition wait")                          \
  X(CondWake, "condition wake-up")                       \
  X(CondTimeout, "condition wake-up without a signal")   \
  X(CondSignal, "condition signal")                      \
  X(CondBroadcast, "condition broadcast")                \
  X(CondSignalLost, "condition signal nobody waits for") \
  X(BarrierArrive, "barrier arrival")                    \
  X(BarrierLeave, "barrier departure")                   \
  X(OnceBegin, "once: begin")                            \
  X(OnceSeen, "once: already done")                      \
  X(OnceEnd, "once: end")                                \
  X(ThreadCreate, "thread creation")                     \
  X(ThreadJoin, "join")                                  \
  X(ThreadDetach, "detach")                              \
  X(FutexWait, "futex wait")                             \
  X(FutexMiss, "futex wait on a changed value")          \
  X(FutexReturn, "futex wake-up")                        \
  X(FutexTimeout, "futex wake-up without a wake")        \
  X(FutexWake, "futex wake")                             \
  X(FutexWakeLost, "futex wake nobody waits for")        \
  X(FutexRequeue, "futex requeue")                       \
  X(ChannelRead, "read from a pipe or eventfd")          \
  X(ChannelWrite, "write to a pipe or eventfd")          \
  X(ChannelClose, "close of a pipe or eventfd")          \
  X(ChannelLook, "look at a pipe or eventfd")            \
  X(Poll, "wait for descriptors")                        \
  X(SignalSend, "sending of a signal")                   \
  X(SignalWait, "wait for a signal")                     \
  X(SignalMask, "change of blocked signals")             \
  X(ThreadCancel, "cancellation")                        \
  X(CancelPoint, "cancellation point")                   \
  X(System, "change of what the process has")            \
  X(Await, "await")                                      \
  X(Choose, "choice")                                    \
  X(Allocate, "allocation")                              \
  X(Unknown, "several operations in one step")

enum class OpKind : std::uint8_t {
#define HEDDLE_X(name, text) name,
  HEDDLE_OP_KINDS(HEDDLE_X)
#undef HEDDLE_X
};

inline constexpr std::size_t kOpKinds = 0
#define HEDDLE_X(name, text) +1
    HEDDLE_OP_KINDS(HEDDLE_X)
#undef HEDDLE_X
    ;

[[nodiscard]] constexpr std::string_view name(OpKind kind) noexcept {
  constexpr std::array<std::string_view, kOpKinds> names{
#define HEDDLE_X(name, text) #name,
      HEDDLE_OP_KINDS(HEDDLE_X)
#undef HEDDLE_X
  };
  return names[static_cast<std::size_t>(kind)];
}

[[nodiscard]] constexpr std::string_view description(OpKind kind) noexcept {
  constexpr std::array<std::string_view, kOpKinds> texts{
#define HEDDLE_X(name, text) text,
      HEDDLE_OP_KINDS(HEDDLE_X)
#undef HEDDLE_X
  };
  return texts[static_cast<std::size_t>(kind)];
}

// An object is a range of bytes (native back-end: addresses; toy back-end: ids of length 1).
struct Operation {
  OpKind kind = OpKind::Unknown;
  std::uint8_t order = 5;    // memory order as compilers number it (5 = seq_cst); for the race check and for people
  bool plain = false;        // a plain memory access, visible only when all accesses are
  bool timed = false;        // may end by itself: a time-out, or a spurious wake-up
  std::uint32_t size = 0;    // of the object, in bytes
  std::uint64_t object = 0;  // memory, lock, semaphore, condition variable, barrier, ...
  // Mutex of a wait; thread created, joined, detached or cancelled; how many a futex wakes; guard; value a
  // compare-exchange or an await expects; what is waited for at a descriptor; set of signals.
  std::uint64_t second = 0;
  std::uint64_t site = 0;  // return address of the call; 0 where there is none
};

struct Event {
  Operation op;
  OpKind announced = OpKind::Unknown;  // the operation's kind while it was pending
  // Depends on every other event: it ended the execution, or could happen only because nobody else could run.
  bool total = false;
  ThreadId thread;
  std::uint32_t index = 0;  // ordinal within its thread, 1-based
  Outcome outcome = 0;      // the alternative taken
  bool several = false;     // there were other outcomes
  std::uint64_t woken = 0;  // threads woken, or the thread itself for the wake-up: see wake_bit
  // What the object was before, for telling what an operation would have done there: the value of memory (up to 8
  // bytes), the owner of a mutex (its number + 1, 0: free), the value of a semaphore.
  std::uint64_t before = 0;
  std::uint64_t value = 0;  // value read, or for a store the value written; for people only
  // A write that left everything as it was, or that nobody else can see; for noticing that nothing happens any more.
  bool idle = false;
  bool cancelled = false;  // the thread was asked to end and does, instead of what it was about to do; for people only
};

// Threads woken are a mask of 64; threads from number 63 on share the last bit. That adds dependencies, and who was
// woken can no longer be seen from it.
inline constexpr std::uint16_t kOwnWakeBits = 63;

[[nodiscard]] constexpr std::uint64_t wake_bit(ThreadId thread) noexcept {
  return std::uint64_t{1} << std::min(thread.value, kOwnWakeBits);
}

inline constexpr std::uint64_t kSharedWakeBit = std::uint64_t{1} << kOwnWakeBits;

// A fingerprint of what an operation is, to notice on replay that a program asks something else than it did before.
[[nodiscard]] constexpr std::uint32_t digest(const Operation& op) noexcept {
  std::uint64_t h = op.object ^ std::rotl(op.site, 24) ^ std::rotl(op.second, 44);
  h ^= (static_cast<std::uint64_t>(op.kind) << 56U) ^ (static_cast<std::uint64_t>(op.size) << 48U);
  return static_cast<std::uint32_t>((h * 0x9E3779B97F4A7C15U) >> 32U);
}

}  // namespace heddle
