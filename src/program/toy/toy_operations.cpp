// What each operation of a toy program does when it is performed: to memory, to the objects that threads synchronise
// by, and to the thread.
#include <algorithm>

#include "base/contract.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle::toy {

// One event for all: an operation on everything, whose accesses are noted one by one.
void ToyProgram::perform_section(std::size_t thread) {
  const Operation announced_as = event_.op;
  do {
    event_.op = pending_of(thread, instruction(thread));
    HEDDLE_REQUIRE(perform(thread, 0), "a section of an operation that has two halves");
    visit_accesses(event_, [&](const ObjectAccess& access) { section_.push_back(access); });
    ++locals_[thread].next;
    if (!locals_[thread].stopped) advance(thread);
  } while (!locals_[thread].stopped && !finished(thread) &&
           instruction(thread).section == Instruction::Section::Continues);
  event_.op = announced_as;
  event_.idle = false;
}

bool ToyProgram::perform(std::size_t thread, Outcome outcome) {
  Local& local = locals_[thread];
  const Instruction& code = instruction(thread);
  std::int64_t& reg = local.registers.at(code.reg);
  switch (code.code) {
    case Code::Read:
    case Code::Write:
    case Code::FetchAdd:
    case Code::Cas:
    case Code::Await:
    case Code::System: perform_memory(code, local); return true;
    case Code::ReadPair:
    case Code::WritePair:
    case Code::CasPair: perform_pair(code, local); return true;
    case Code::Lock:
    case Code::TimedLock:
    case Code::TryLock: {
      event_.before = owner_plus_one(code.a);
      const bool taken = !shared_.mutex_owner.contains(code.a) && outcome != kTimeout;
      if (taken) {
        shared_.mutex_owner[code.a] = thread;
      } else {
        event_.op.kind = OpKind::MutexLockFail;
      }
      if (outcome == kTimeout) ++local.timeouts;
      if (code.code != Code::Lock) reg = taken ? 1 : 0;
      return true;
    }
    case Code::Unlock: {
      event_.before = owner_plus_one(code.a);
      const auto it = shared_.mutex_owner.find(code.a);
      if (it == shared_.mutex_owner.end() || it->second != thread) {
        fail(FindingKind::LockMisuse, thread, "unlock of a mutex that the thread does not hold");
      } else {
        shared_.mutex_owner.erase(it);
      }
      return true;
    }
    case Code::SemWait:
      event_.before = static_cast<std::uint64_t>(shared_.semaphores[code.a]);
      --shared_.semaphores[code.a];
      return true;
    case Code::SemTryWait:
      event_.before = static_cast<std::uint64_t>(shared_.semaphores[code.a]);
      reg = shared_.semaphores[code.a] > 0 ? 1 : 0;
      if (reg == 1) --shared_.semaphores[code.a];
      if (reg == 0) event_.op.kind = OpKind::SemWaitFail;
      return true;
    case Code::SemPost:
      event_.before = static_cast<std::uint64_t>(shared_.semaphores[code.a]);
      ++shared_.semaphores[code.a];
      return true;
    case Code::CondWait:
    case Code::CondTimedWait: return perform_wait(thread, code, local, outcome);
    case Code::Signal:
    case Code::Broadcast: perform_signal(code, outcome); return true;
    case Code::Barrier: return perform_barrier(code, local);
    case Code::Create:
      locals_[code.a].started = true;
      begin(code.a);
      return true;
    case Code::Join: return true;
    case Code::TryJoin:
      reg = outcome == kTimeout ? 0 : 1;
      // While the other thread has not ended, giving up uses up no time-out.
      if (outcome == kTimeout && finished(code.a)) ++local.timeouts;
      return true;
    case Code::Choose: reg = outcome; return true;
    default: perform_rwlock(thread, code, local); return true;
  }
}

void ToyProgram::perform_memory(const Instruction& code, Local& local) {
  std::int64_t& cell = shared_.memory[code.a];
  std::int64_t& reg = local.registers.at(code.reg);
  event_.before = static_cast<std::uint64_t>(cell);
  switch (code.code) {
    case Code::Read: reg = cell; break;
    case Code::Write: cell = code.value + (code.use_register ? local.registers.at(code.reg2) : 0); break;
    case Code::FetchAdd:
    case Code::System:
      reg = cell;
      cell += code.value;
      break;
    case Code::Cas:
      reg = cell == code.value ? 1 : 0;
      if (reg == 1) cell = code.value2;
      if (reg == 0) event_.op.kind = OpKind::CasFail;
      break;
    default: break;  // an await only reads
  }
  event_.value = static_cast<std::uint64_t>(cell);
  event_.idle = event_.value == event_.before;
}

void ToyProgram::perform_pair(const Instruction& code, Local& local) {
  std::int64_t& first = shared_.memory[code.a];
  std::int64_t& second = shared_.memory[code.a + 1];
  std::int64_t& reg = local.registers.at(code.reg);
  event_.before = pair_of(first, second);
  switch (code.code) {
    case Code::ReadPair: reg = first + second; break;
    case Code::WritePair: first = second = code.value; break;
    default:  // compare and exchange
      reg = first == code.value && second == code.value ? 1 : 0;
      if (reg == 1) first = second = code.value2;
      if (reg == 0) event_.op.kind = OpKind::CasFail;
  }
  event_.value = pair_of(first, second);
  event_.idle = event_.value == event_.before;
}

void ToyProgram::perform_rwlock(std::size_t thread, const Instruction& code, Local& local) {
  RwLock& lock = shared_.rwlocks[code.a];
  const bool may_read = !lock.writer;
  const bool may_write = may_read && lock.readers.empty();
  const auto reader = std::find(lock.readers.begin(), lock.readers.end(), thread);
  const auto finish_try = [&](bool taken, OpKind kind) {
    local.registers.at(code.reg) = taken ? 1 : 0;
    event_.op.kind = taken ? kind : OpKind::RwLockFail;
  };
  switch (code.code) {
    case Code::TryReadLock: finish_try(may_read, OpKind::RwReadLock); [[fallthrough]];
    case Code::ReadLock:
      if (may_read) lock.readers.push_back(thread);
      break;
    case Code::TryWriteLock: finish_try(may_write, OpKind::RwWriteLock); [[fallthrough]];
    case Code::WriteLock:
      if (may_write) lock.writer = thread;
      break;
    case Code::ReadUnlock:
      if (reader == lock.readers.end()) {
        fail(FindingKind::LockMisuse, thread, "unlock of a rwlock that the thread does not hold");
      } else {
        lock.readers.erase(reader);
      }
      break;
    case Code::WriteUnlock:
      if (lock.writer != thread) {
        fail(FindingKind::LockMisuse, thread, "unlock of a rwlock that the thread does not hold");
      } else {
        lock.writer.reset();
      }
      break;
    default: HEDDLE_REQUIRE(false, "instruction without a meaning");
  }
}

bool ToyProgram::perform_wait(std::size_t thread, const Instruction& code, Local& local, Outcome outcome) {
  event_.before = owner_plus_one(code.b);
  if (!local.in_second_half) {
    const auto it = shared_.mutex_owner.find(code.b);
    if (it == shared_.mutex_owner.end() || it->second != thread) {
      fail(FindingKind::LockMisuse, thread, "wait on a condition variable without holding the mutex");
      return true;
    }
    shared_.mutex_owner.erase(it);
    return false;
  }
  shared_.mutex_owner[code.b] = thread;
  if (outcome == kTimeout) ++local.timeouts;
  if (outcome == kSpurious) {
    ++shared_.spurious_used;
    event_.total = true;  // it uses up a budget that all share
  }
  if (outcome == 0) {
    event_.woken = wake_bit(id(thread));
  } else {
    event_.op.kind = OpKind::CondTimeout;
  }
  if (code.code == Code::CondTimedWait) local.registers.at(code.reg) = outcome == kTimeout ? 0 : 1;
  local.signalled = false;
  return true;
}

void ToyProgram::perform_signal(const Instruction& code, Outcome outcome) {
  const std::vector<std::size_t> waiting = waiters(code.a);
  if (waiting.empty()) {
    event_.op.kind = OpKind::CondSignalLost;
    return;
  }
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (code.code == Code::Signal && i != outcome) continue;
    locals_[waiting[i]].signalled = true;
    locals_[waiting[i]].woken_alone = code.code == Code::Broadcast || waiting.size() == 1;
    event_.woken |= wake_bit(id(waiting[i]));
  }
}

bool ToyProgram::perform_barrier(const Instruction& code, Local& local) {
  BarrierState& barrier = shared_.barriers[code.a];
  std::int64_t& reg = local.registers.at(code.reg);
  if (local.in_second_half) return true;
  reg = ++barrier.arrived == code.value ? 1 : 0;
  local.barrier_generation = barrier.generation;
  if (reg == 1) {
    barrier.arrived = 0;
    ++barrier.generation;
  }
  return false;
}

}  // namespace heddle::toy
