// Await loops: a thread that goes round in a loop and changes nothing waits for something it reads to change.
//
// A round is futile if the thread comes back to the same operation with the same registers and the same stack, and has
// in between changed nothing but its own dead stack: no plain write, no allocation, no lock taken, no choice made, no
// clock read; atomic operations that left everything as it was count as reads. Whatever the thread can do from there it
// could have done from where the round began, for nobody noticed the round. So it takes no further step in this
// execution (docs/soundness.md, "Await loops", has the argument): the executions in which it waited until something
// changed, instead of looking in vain, are explored anyway. When an execution comes to its end and nothing that a
// waiting thread read has changed since, the loop never ends: a livelock. If something has changed, the thread could
// go on, and the execution is one of those that do not count.
//
// Taking registers and stack into account at every operation would be far too slow. So sites are first watched in a
// cheap way: a thread that comes to the same operation on the same object twice, with no effect in between, may be in
// such a loop. The site is then known (`learn`), and the search begins anew: from then on state is compared there, on
// the first arrival as well, so that what a thread does depends on nothing but its own history.
//
// A thread's stack may hold variables that others write. They are no part of its state: a word that another thread
// writes while the thread is in a loop is left out at that loop from then on, which is learnt in the same way.
#pragma once

#include <cstdint>

#include "base/archive.hpp"
#include "program/native/layout.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {

// The registers that calls preserve, as they were when the program called an interceptor (entry_registers.hpp).
struct EntryRegisters {
  std::uint64_t stack_pointer = 0;  // where the return address is
  std::uint64_t preserved[6] = {};
  std::uint64_t argument = 0;  // the operand of a read-modify-write, filled in by its interceptor
};
extern "C" EntryRegisters heddle_entry_registers;
extern "C" std::uint8_t heddle_entry_wanted;        // some site is known
extern "C" std::uint8_t heddle_plain_entry_wanted;  // the same, when plain accesses are visible

// The operations to come are of a call that has not kept the registers, and goes round loops of its own: what was kept
// last is that of another call, perhaps from the same place on the stack.
inline void forget_entry_registers() noexcept { heddle_entry_registers.stack_pointer = 0; }

// Makes room for what is learnt; shared with processes forked from this one.
void prepare_awaits();
// What is learnt, written down or read back before the first execution: see base/archive.hpp.
void archive_awaits(Archive& archive);
// An execution begins.
void start_awaits() noexcept;
// A thread begins. Which rounds and reads find room depends on those that are there: none of an earlier execution.
inline void start_await_watch(AwaitWatch& watch) noexcept {
  ++watch.epoch;
  watch.waiting = false;
  watch.taken_count = watch.oldest_round = 0;
  if (heddle_entry_wanted != 0) static_cast<AwaitRounds&>(watch) = {};
}

// The current thread announces an operation that may turn out to change nothing. Returns unless the thread has been
// going round in vain.
void look_for_round(Fibre& fibre);
void note_arrival(Fibre& fibre, AwaitWatch::Arrival& arrival);
constexpr bool may_change_nothing(const Operation& op) noexcept {
  switch (op.kind) {
    case OpKind::ThreadJoin: return op.size == kAttempt;
    case OpKind::Load:
    case OpKind::Rmw:
    case OpKind::Cas:
    case OpKind::MutexLock:
    case OpKind::MutexTryLock:
    case OpKind::RwTryLock:
    case OpKind::SemTryWait:
    case OpKind::SemRead: return true;
    default: return false;
  }
}
// Two places taken for one, or two times, make the search look closer where it need not, and nothing else.
inline AwaitWatch::Arrival arrival_now(const Operation& op, const AwaitWatch& watch) noexcept {
  return {op.site * 0x9E3779B97F4A7C15U ^ op.object, static_cast<std::uint32_t>(watch.epoch),
          static_cast<std::uint32_t>(watch.now)};
}
inline void await_announced(Fibre& fibre) {
  const Operation& op = fibre.state->pending;
  // In a search over states a loop is a circle like any other.
  if (!may_change_nothing(op) || fibre.atomic_depth > 0 || rt.settings.stateful) return;
  AwaitWatch& watch = fibre.await;
  AwaitWatch::Arrival& arrival = watch.arrivals[((op.site >> 2U) ^ (op.site >> 5U)) % watch.arrivals.size()];
  if (heddle_entry_wanted != 0 || arrival.epoch == static_cast<std::uint32_t>(watch.epoch)) {
    note_arrival(fibre, arrival);
  } else {
    arrival = arrival_now(op, watch);
  }
}

// The operation announced is being performed: it has an effect unless await_read says otherwise. Inside an atomic
// section (`final`) it has one whatever happens.
inline void await_performs(AwaitWatch& watch, bool final) noexcept {
  ++watch.now;
  watch.epoch_before = final ? ++watch.epoch : watch.epoch++;
}

// The current thread did something that others, or its own later behaviour, may depend on.
inline void await_effect() noexcept {
  if (rt.inside) ++rt.current->await.epoch;
}

// The operation under way left everything as it was because it found these bytes, 8 at most, as they are.
void remember_read(AwaitWatch& watch, std::uint64_t address, std::uint32_t size);
void remember_plain_read(AwaitWatch& watch, std::uint64_t address, std::uint64_t size);
inline void await_read(std::uint64_t address, std::uint32_t size) {
  AwaitWatch& watch = rt.current->await;
  watch.epoch = watch.epoch_before;
  if (heddle_entry_wanted == 0) return;
  for (; size > 8; size -= 8, address += 8) remember_read(watch, address, 8);
  remember_read(watch, address, size);
}

// The current thread takes a mutex that is free, whose state is in these bytes, or gives one back. That is no effect if
// both happen on the same round.
void await_takes(std::uint64_t object, std::uint64_t state, std::uint32_t size);
void await_releases(std::uint64_t object);
// The same for a recursive mutex that the thread has already.
void await_takes_again(std::uint64_t object);
void await_gives_back(std::uint64_t object);
// It could not have a mutex because the thread of this number had it, perhaps on a round that would otherwise not have
// been noticed.
inline void await_observes(std::int32_t owner) noexcept {
  if (owner > 0)
    rt.fibres[static_cast<std::size_t>(owner) - 1]->await.observed =
        rt.fibres[static_cast<std::size_t>(owner) - 1]->await.now;
}

// A write to the stack of a thread. Others' writes: is that thread in a loop?
void stack_written(std::uint64_t address, std::uint64_t size);
inline void await_write(std::uint64_t address, std::uint64_t size) {
  if (address - kStacks >= kMaxThreads * kStackSlot) {
    ++rt.current->await.epoch;
  } else if (heddle_entry_wanted != 0) {
    stack_written(address, size);
  } else if (address - rt.current->stack_low >= rt.current->stack_high - rt.current->stack_low) {
    ++rt.current->await.epoch;
  }
}
// The same for a visible operation, which has an effect anyway.
inline void await_atomic_write(std::uint64_t address, std::uint64_t size) {
  if (heddle_entry_wanted != 0 && address - kStacks < kMaxThreads * kStackSlot) stack_written(address, size);
}
// A plain access of the program.
inline void await_plain(std::uint64_t address, std::uint64_t size, bool write) {
  Fibre& fibre = *rt.current;
  if (write) {
    await_write(address, size);
  } else if (address - fibre.stack_low >= fibre.stack_high - fibre.stack_low) {
    if (rt.settings.report_races) fibre.await.plain_read = fibre.await.now;
    if (heddle_entry_wanted != 0 && !rt.settings.visible_all) remember_plain_read(fibre.await, address, size);
  }
}

// --- on the scheduler's side

// A thread waits in a loop where in an equivalent execution it went on: what earlier calls left on its stack, which is
// no state of the program, made rounds look different there. Loops at that site are not recognised any more.
void doubt_round(const Fibre& fibre);

// A thread that waits although something it waited for has changed.
[[nodiscard]] bool waits_in_vain(const Fibre& fibre) noexcept;

}  // namespace heddle::native
