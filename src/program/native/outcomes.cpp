#include "program/native/outcomes.hpp"

#include <cstring>

#include "program/native/cancellation.hpp"
#include "program/native/channels.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/runtime.hpp"
#include "program/native/signal_calls.hpp"
#include "program/native/sync_objects.hpp"

namespace heddle::native {
namespace {

constexpr Outcomes kOne{kUsual, 1};
constexpr Outcomes kBlocked{};

Outcomes when(bool possible) { return possible ? kOne : kBlocked; }

bool may_time_out(const Fibre& fibre, bool forced) {
  if (!fibre.timed) return false;
  if (forced || fibre.timeouts < rt.settings.timeouts) return true;
  rt.timeouts_cut = true;
  return false;
}

// An acquisition that may also time out, though not, says POSIX, if it can be had at once.
Outcomes timed(const Fibre& fibre, bool possible, bool forced) {
  if (possible) return kOne;
  return {kTimedOut, may_time_out(fibre, forced) ? 1U : 0U};
}

// A thread that has done all that can be seen may still be about to end.
Outcomes joining(const Fibre& fibre, const Operation& pending, bool forced) {
  if (!join_need_not_wait(pending)) {
    return pending.size == kAttempt ? Outcomes{kTimedOut, 1} : timed(fibre, false, forced);
  }
  return {kUsual, may_time_out(fibre, false) ? 2U : 1U};
}

// At a cancellation point: a request to end the thread is the other outcome, and takes the place of a time-out.
Outcomes cancellable(const Fibre& fibre, Outcomes outcomes) {
  if (!cancel_due(fibre)) return outcomes;
  return outcomes.count > 0 && outcomes.first == kUsual ? Outcomes{kUsual, 2} : Outcomes{kTimedOut, 1};
}

// A sleeper in a condition variable or futex.
Outcomes asleep(const Fibre& fibre, bool forced) {
  // Signalled, yet its time may have been up before: it then only could not have the mutex back any sooner.
  if (fibre.signalled) return {kUsual, fibre.woken_alone && may_time_out(fibre, false) ? 2U : 1U};
  const bool late = may_time_out(fibre, forced);
  const bool spurious = rt.spurious_used < rt.settings.spurious_wakeups;
  return {late ? kTimedOut : kSpurious, (late ? 1U : 0U) + (spurious ? 1U : 0U)};
}

template <typename T>
const T& object(const Operation& op) {
  return *reinterpret_cast<const T*>(op.object);
}

bool once_running(const Operation& op) {
  if (op.size == kLibcxxOnceSize) return object<std::uint64_t>(op) == kLibcxxOnceRunning;
  if (op.size == sizeof(Once)) return object<Once>(op).state == Once::kRunning;
  return reinterpret_cast<const unsigned char*>(op.object)[1] != 0;  // guard of a static local
}

// Whether a weak compare-exchange that would succeed may fail all the same.
bool may_fail_weakly(const Operation& op) {
  if (process_objects.weak_cas_failures >= rt.settings.weak_cas_failures) return false;
  std::uint64_t value = 0;
  const std::size_t size = op.size < sizeof value ? op.size : sizeof value;
  std::memcpy(&value, reinterpret_cast<const void*>(op.object), size);
  return value == op.second;
}

// Number of ways to pick which sleepers a futex wake wakes, exact while it fits.
Outcome combinations(std::size_t sleepers, std::size_t woken) {
  if (woken >= sleepers) return 1;
  std::uint64_t ways = 1;
  for (std::size_t i = 1; i <= woken; ++i) {
    ways = ways * (sleepers - woken + i) / i;
    if (ways > 1'000'000) return 1'000'000;
  }
  return static_cast<Outcome>(ways);
}

}  // namespace

Outcomes outcomes_of(const Fibre& fibre, const Operation& pending, bool forced) {
  if (fibre.stuck) return kBlocked;
  switch (pending.kind) {
    case OpKind::MutexLock: {
      if (pending.size == kSpinLockSize) return when(object<std::int32_t>(pending) == 0);
      const auto& mutex = object<Mutex>(pending);
      return timed(fibre, mutex.free() || mutex.robust_state == Mutex::kNotRecoverable, forced);
    }
    case OpKind::RwReadLock: return timed(fibre, object<RwLock>(pending).writer == 0, forced);
    case OpKind::RwWriteLock: {
      const auto& lock = object<RwLock>(pending);
      return timed(fibre, lock.writer == 0 && lock.readers == 0, forced);
    }
    case OpKind::SemWait: return cancellable(fibre, timed(fibre, object<Semaphore>(pending).value > 0, forced));
    case OpKind::CondWake: {
      const auto& mutex = *reinterpret_cast<const Mutex*>(pending.second);
      if (!mutex.free()) return kBlocked;
      // A signal it was chosen for must not be lost to others that wait: it returns, and the request waits for the next
      // point. One that nobody else could have had may be.
      return fibre.signalled && !fibre.woken_alone ? asleep(fibre, forced) : cancellable(fibre, asleep(fibre, forced));
    }
    case OpKind::FutexReturn: return asleep(fibre, forced);
    case OpKind::BarrierLeave: return when(object<Barrier>(pending).generation != fibre.barrier_generation);
    case OpKind::OnceBegin: return when(!once_running(pending));
    case OpKind::ThreadJoin: {
      const Outcomes outcomes = joining(fibre, pending, forced);
      return pending.size == kAttempt ? outcomes : cancellable(fibre, outcomes);
    }
    case OpKind::ChannelRead:
    case OpKind::ChannelWrite:
    case OpKind::ChannelLook:
    case OpKind::Poll: return cancellable(fibre, timed(fibre, channel_ready(pending), forced));
    case OpKind::SignalWait: return cancellable(fibre, timed(fibre, signal_there(fibre, pending), forced));
    case OpKind::WeakCas: return {kUsual, may_fail_weakly(pending) ? 2U : 1U};
    case OpKind::Allocate:
      return {kUsual, process_objects.allocation_failures < rt.settings.allocation_failures ? 2U : 1U};
    case OpKind::CondSignal: {
      const std::size_t sleepers = count_sleepers(Sleep::Condition, pending.object);
      return {kUsual, static_cast<Outcome>(sleepers > 0 ? sleepers : 1)};
    }
    case OpKind::FutexWake:
    case OpKind::FutexRequeue: {
      const WakeRequest request = wake_request(pending.second);
      const std::size_t sleepers = count_sleepers(Sleep::Futex, pending.object, request.bits);
      return {kUsual, sleepers > 0 ? combinations(sleepers, request.count) : 1};
    }
    case OpKind::Choose: return {kUsual, pending.size};
    default: return kOne;
  }
}

namespace {

bool is_sleeper(const Fibre& fibre, Sleep sleep, std::uint64_t object, std::uint32_t bits) {
  return fibre.sleep == sleep && fibre.sleeps_on == object && !fibre.signalled && (fibre.sleep_bits & bits) != 0;
}

}  // namespace

std::size_t count_sleepers(Sleep sleep, std::uint64_t object, std::uint32_t bits) {
  std::size_t count = 0;
  for (std::size_t t = 0; t < rt.thread_count; ++t) {
    if (is_sleeper(*rt.fibres[t], sleep, object, bits)) ++count;
  }
  return count;
}

Fibre& sleeper(Sleep sleep, std::uint64_t object, std::size_t n, std::uint32_t bits) {
  for (std::size_t t = 0;; ++t) {
    Fibre& fibre = *rt.fibres[t];
    if (is_sleeper(fibre, sleep, object, bits) && n-- == 0) return fibre;
  }
}

}  // namespace heddle::native
