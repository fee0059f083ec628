#include "explore/stateless/reversal.hpp"

#include <algorithm>
#include <map>

#include "model/accesses.hpp"

namespace heddle {
namespace {

using Position = Execution::Position;

// The value that a memory access would have found before `first`: what it found, less what `first` did to it.
std::uint64_t value_before(const Event& first, const Event& second) {
  if (detail::only_reads(traits(first.op.kind).first.mode)) return second.before;
  if (first.op.object == second.op.object && first.op.size == second.op.size) return first.before;
  std::uint64_t value = second.before;
  for (std::uint32_t i = 0; i < second.op.size; ++i) {
    const std::uint64_t at = second.op.object + i - first.op.object;
    if (at >= first.op.size) continue;
    value &= ~(std::uint64_t{0xFF} << (8 * i));
    value |= ((first.before >> (8 * at)) & 0xFF) << (8 * i);
  }
  return value;
}

bool exact_memory(const Event& first, const Event& second) {
  return traits(first.op.kind).first.object == ObjectClass::Memory && first.op.size <= 8 && second.op.size <= 8;
}

}  // namespace

Reverser::Answer Reverser::look(std::size_t first_position, const SecondEvent& second) {
  const Event& first = execution_[first_position];
  const auto as = [&](OpKind kind, std::uint64_t before) {
    others_.assign(1, second.event);
    others_.front().op.kind = kind;
    others_.front().before = before;
    return Answer::Otherwise;
  };
  if (is_total(first) || is_total(second.event) || second.event.op.timed) return Answer::TryOut;
  if (may_give_up_joining(first)) return Answer::TryOut;
  switch (second.event.announced) {
    // Never blocked, and the same wherever they come.
    case OpKind::Load:
    case OpKind::Store:
    case OpKind::Rmw:
    case OpKind::MutexUnlock:
    case OpKind::RwReadUnlock:
    case OpKind::RwWriteUnlock:
    case OpKind::SemPost:
    case OpKind::SemRead:
    case OpKind::CondWait:
    case OpKind::BarrierArrive:
    case OpKind::ThreadCreate: return Answer::Same;
    case OpKind::Cas: {
      if (!exact_memory(first, second.event)) return Answer::TryOut;
      const std::uint64_t before = value_before(first, second.event);
      return as(before == second.event.op.second ? OpKind::Cas : OpKind::CasFail, before);
    }
    case OpKind::Await:
      if (!exact_memory(first, second.event)) return Answer::TryOut;
      return value_before(first, second.event) == second.event.op.second ? Answer::Same : Answer::No;
    case OpKind::MutexLock:
    case OpKind::MutexTryLock: {
      const std::uint64_t owner = first.before;
      if (owner == second.event.thread.value + std::uint64_t{1}) return Answer::TryOut;
      if (second.event.announced == OpKind::MutexTryLock) {
        return as(owner == 0 ? OpKind::MutexTryLock : OpKind::MutexLockFail, owner);
      }
      return owner == 0 ? as(second.event.op.kind, owner) : Answer::No;
    }
    case OpKind::SemWait: return first.before > 0 ? as(second.event.op.kind, first.before) : Answer::No;
    case OpKind::SemTryWait: return as(first.before > 0 ? OpKind::SemTryWait : OpKind::SemWaitFail, first.before);
    // The last bit of the mask stands for several threads: it does not say who was woken.
    case OpKind::CondWake:
      if (second.event.woken == kSharedWakeBit) return Answer::TryOut;
      // Whoever has been asked to end needs no signal, only the mutex.
      if (execution_.last_total(second.position) != Execution::kNone) return Answer::TryOut;
      return look_at_wake_up(first_position, second);
    // Woken by the first event, or by nobody.
    case OpKind::FutexReturn: return second.event.woken == kSharedWakeBit ? Answer::TryOut : Answer::No;
    default: return Answer::TryOut;
  }
}

// A wake-up without a time limit, of a thread that nobody has asked to end: possible once its waiter has been signalled
// and while the mutex is free.
Reverser::Answer Reverser::look_at_wake_up(std::size_t first, const SecondEvent& second) const {
  if ((execution_[first].woken & second.event.woken) != 0 || execution_[first].before != 0) return Answer::No;
  std::vector<Position> wakers;
  for (const Execution::Access& access : second.accesses) {
    std::vector<Position> met;
    execution_.conflicts(access.frontier, access, met);
    for (const Position position : met) {
      if ((execution_[position].woken & second.event.woken) != 0) wakers.push_back(position);
    }
  }
  // If nobody has signalled it since it began to wait, an older wake-up is on the frontier: its own, or a signal that
  // its last wait was too late for.
  const auto waker = std::max_element(wakers.begin(), wakers.end());
  if (waker == wakers.end() || *waker < second.previous) return Answer::No;
  return execution_.happens_before(first, *waker) ? Answer::No : Answer::Same;
}

void Reverser::fill_in_steps(std::size_t end, ReversedRace& race) const {
  race.steps.clear();
  for (std::size_t k = race.first + 1; k < end; ++k) {
    if (!execution_.happens_before(race.first, k)) race.steps.push_back(static_cast<Position>(k));
  }
}

bool Reverser::reverse(const SecondEvent& second, std::size_t end, Steps steps, ReversedRace& race) {
  const Answer answer = look(race.first, second);
  if (answer == Answer::No) return false;
  if (steps == Steps::Wanted || answer == Answer::TryOut) fill_in_steps(end, race);
  race.dropped = false;
  race.same = answer == Answer::Same;
  if (race.same) {
    race.last = {&second.event, 1};
    return true;
  }
  if (answer == Answer::TryOut) {
    others_ = prober_.probe(race.first, race.steps, second.event.thread);
    while (others_.empty() && drop_readers(second, race)) {
      others_ = prober_.probe(race.first, race.steps, second.event.thread);
    }
  }
  // Performed there it may have become something else, and the race with it.
  std::erase_if(others_, [&](const Event& event) { return !dependent(execution_[race.first], event); });
  race.last = others_;
  return !others_.empty();
}

bool Reverser::drop_readers(const SecondEvent& second, ReversedRace& race) const {
  if (second.event.announced != OpKind::RwWriteLock) return false;
  std::map<std::uint16_t, std::vector<Position>> inside;  // reader: its read-locks
  const auto perform = [&](Position k) {
    const Event& event = execution_[k];
    if (event.op.object != second.event.op.object) return;
    std::vector<Position>& locks = inside[event.thread.value];
    if (event.op.kind == OpKind::RwReadLock) locks.push_back(k);
    if (event.op.kind == OpKind::RwReadUnlock && !locks.empty()) locks.pop_back();
  };
  for (std::size_t k = 0; k < race.first; ++k) perform(static_cast<Position>(k));
  for (const Position k : race.steps) perform(k);
  std::vector<Position> dropped;
  for (const auto& [reader, locks] : inside) {
    if (locks.empty()) continue;
    const Position lock = locks.back();
    const bool before = second.previous != Execution::kNone && execution_.happens_before(lock, second.previous);
    if (lock < race.first || before) return false;
    dropped.push_back(lock);
  }
  if (dropped.empty()) return false;
  race.dropped = true;
  std::erase_if(race.steps, [&](Position k) {
    return std::any_of(dropped.begin(), dropped.end(), [&](Position d) { return execution_.happens_before(d, k); });
  });
  return true;
}

}  // namespace heddle
