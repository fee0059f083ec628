// Enabledness: which outcomes the pending operation of a thread has in the current state. Exact, read off the
// synchronisation objects' memory.
#pragma once

#include "model/operation.hpp"
#include "program/native/fibre.hpp"
#include "program/native/runtime.hpp"
#include "program/native/sync_objects.hpp"

namespace heddle::native {

inline constexpr Outcome kUsual = 0;
inline constexpr Outcome kTimedOut = 1;
inline constexpr Outcome kSpurious = 2;

// The size of a join that does not wait.
inline constexpr std::uint32_t kAttempt = 1;

// Whether an operation can block or vary in its outcomes; all others have the usual one, always.
[[nodiscard]] constexpr bool varies(OpKind kind) noexcept {
  switch (kind) {
    case OpKind::MutexLock:
    case OpKind::RwReadLock:
    case OpKind::RwWriteLock:
    case OpKind::SemWait:
    case OpKind::CondWake:
    case OpKind::FutexReturn:
    case OpKind::BarrierLeave:
    case OpKind::OnceBegin:
    case OpKind::ThreadJoin:
    case OpKind::CondSignal:
    case OpKind::FutexWake:
    case OpKind::FutexRequeue:
    case OpKind::ChannelRead:
    case OpKind::ChannelWrite:
    case OpKind::ChannelLook:
    case OpKind::Poll:
    case OpKind::SignalWait:
    case OpKind::WeakCas:
    case OpKind::Allocate:
    case OpKind::Choose: return true;
    default: return false;
  }
}

// Whether an operation locks a mutex that is free, the most common of those that vary: its outcome is the usual one.
[[nodiscard]] inline bool is_free_mutex(const Operation& pending) noexcept {
  return pending.kind == OpKind::MutexLock && pending.size != kSpinLockSize &&
         reinterpret_cast<const Mutex*>(pending.object)->free();
}

// Whether a join goes on at once: the thread has ended, or has been detached, so that joining it is a mistake.
[[nodiscard]] inline bool join_need_not_wait(const Operation& join) noexcept {
  const ThreadId other{static_cast<std::uint16_t>(join.second)};
  return state_of(other).phase == ThreadPhase::Finished || fibre_of(other).detached;
}

// `forced`: no thread can run otherwise, so time passes and a timed operation times out whatever its budget.
[[nodiscard]] Outcomes outcomes_of(const Fibre& fibre, const Operation& pending, bool forced = false);

inline constexpr std::uint32_t kAllBits = 0xFFFFFFFF;  // of a futex: any of its sleepers

// Threads asleep on a condition variable or futex and not woken yet, in the order of their numbers.
[[nodiscard]] std::size_t count_sleepers(Sleep sleep, std::uint64_t object, std::uint32_t bits = kAllBits);
// The n-th of them.
[[nodiscard]] Fibre& sleeper(Sleep sleep, std::uint64_t object, std::size_t n, std::uint32_t bits = kAllBits);

// How many a futex operation wakes, and of which: packed into Operation::second.
struct WakeRequest {
  std::uint32_t count;
  std::uint32_t bits;
};
[[nodiscard]] constexpr std::uint64_t packed(WakeRequest request) noexcept {
  return request.count | (static_cast<std::uint64_t>(~request.bits) << 32U);  // so that the usual bits are zeroes
}
[[nodiscard]] constexpr WakeRequest wake_request(std::uint64_t second) noexcept {
  return {static_cast<std::uint32_t>(second), ~static_cast<std::uint32_t>(second >> 32U)};
}

}  // namespace heddle::native
