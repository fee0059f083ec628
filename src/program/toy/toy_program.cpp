#include "program/toy/toy_program.hpp"

#include <algorithm>
#include <charconv>

#include "base/contract.hpp"

namespace heddle::toy {
namespace {

bool visible(Code code) { return code < Code::Set; }

// The kind an instruction announces: what it may turn out to be, at the most.
OpKind announced(Code code) {
  switch (code) {
    case Code::Read:
    case Code::ReadPair: return OpKind::Load;
    case Code::Write:
    case Code::WritePair: return OpKind::Store;
    case Code::FetchAdd: return OpKind::Rmw;
    case Code::Cas:
    case Code::CasPair: return OpKind::Cas;
    case Code::Await: return OpKind::Await;
    case Code::System: return OpKind::System;
    case Code::Lock:
    case Code::TimedLock: return OpKind::MutexLock;
    case Code::TryLock: return OpKind::MutexTryLock;
    case Code::Unlock: return OpKind::MutexUnlock;
    case Code::ReadLock: return OpKind::RwReadLock;
    case Code::WriteLock: return OpKind::RwWriteLock;
    case Code::TryReadLock:
    case Code::TryWriteLock: return OpKind::RwTryLock;
    case Code::ReadUnlock: return OpKind::RwReadUnlock;
    case Code::WriteUnlock: return OpKind::RwWriteUnlock;
    case Code::SemWait: return OpKind::SemWait;
    case Code::SemTryWait: return OpKind::SemTryWait;
    case Code::SemPost: return OpKind::SemPost;
    case Code::CondWait:
    case Code::CondTimedWait: return OpKind::CondWait;
    case Code::Signal: return OpKind::CondSignal;
    case Code::Broadcast: return OpKind::CondBroadcast;
    case Code::Barrier: return OpKind::BarrierArrive;
    case Code::Create: return OpKind::ThreadCreate;
    case Code::Join:
    case Code::TryJoin: return OpKind::ThreadJoin;
    case Code::Choose: return OpKind::Choose;
    case Code::Set:
    case Code::Add:
    case Code::AddRegister:
    case Code::JumpIf:
    case Code::JumpUnless:
    case Code::Assert:
    case Code::Assume: break;
  }
  return OpKind::Unknown;
}

}  // namespace

ToyProgram::ToyProgram(ToyCode code, ToyOptions options)
    : code_(std::move(code)), options_(options), created_by_someone_(code_.threads.size(), false) {
  HEDDLE_REQUIRE(code_.threads.size() <= kMaxThreads, "too many threads in a toy program");
  for (const Thread& thread : code_.threads) {
    used_registers_.push_back(used_registers(thread));
    for (const Instruction& instruction : thread) {
      if (instruction.code == Code::Create) created_by_someone_.at(instruction.a) = true;
    }
  }
  restart();
}

void ToyProgram::restart() {
  locals_.assign(code_.threads.size(), {});
  shared_ = {};
  for (std::size_t i = 0; i < code_.semaphores.size(); ++i) {
    shared_.semaphores[static_cast<std::uint32_t>(i)] = code_.semaphores[i];
  }
  states_.assign(code_.threads.size(), {});
  raised_ = abandoned_ = false;
  for (std::size_t t = 0; t < locals_.size(); ++t) {
    locals_[t].started = !created_by_someone_[t];
    if (locals_[t].started) begin(t);
  }
  refresh();
}

std::int64_t ToyProgram::value_of(ReadFrom from, std::uint32_t object) const {
  switch (from) {
    case ReadFrom::Memory: {
      const auto it = shared_.memory.find(object);
      return it == shared_.memory.end() ? 0 : it->second;
    }
    case ReadFrom::Mutex: return static_cast<std::int64_t>(owner_plus_one(object));
    case ReadFrom::RwLock: {
      const auto it = shared_.rwlocks.find(object);
      if (it == shared_.rwlocks.end()) return 0;
      return it->second.writer ? -static_cast<std::int64_t>(*it->second.writer) - 1
                               : static_cast<std::int64_t>(it->second.readers.size());
    }
    case ReadFrom::Semaphore: {
      const auto it = shared_.semaphores.find(object);
      return it == shared_.semaphores.end() ? 0 : it->second;
    }
  }
  return 0;
}

std::optional<AwaitWatch::Read> ToyProgram::only_read(const Instruction& code) const {
  const auto from = [&](ReadFrom where) { return AwaitWatch::Read{where, code.a, value_of(where, code.a)}; };
  if (is_pair(code.code)) return std::nullopt;  // loops that wait for two objects at once are not recognised
  switch (event_.op.kind) {
    case OpKind::Load:
    case OpKind::CasFail: return from(ReadFrom::Memory);
    case OpKind::Store:
    case OpKind::Rmw:
    case OpKind::Cas:
      if (event_.before != static_cast<std::uint64_t>(value_of(ReadFrom::Memory, code.a))) return std::nullopt;
      return from(ReadFrom::Memory);
    case OpKind::MutexLockFail:
      if (code.code != Code::TryLock) return std::nullopt;  // a time-out is a choice
      return from(ReadFrom::Mutex);
    case OpKind::RwLockFail: return from(ReadFrom::RwLock);
    case OpKind::SemWaitFail: return from(ReadFrom::Semaphore);
    default: return std::nullopt;
  }
}

void ToyProgram::watch(std::size_t thread, const Instruction& performed) {
  Local& local = locals_[thread];
  if (const auto read = only_read(performed)) {
    local.await.read(*read);
  } else {
    local.await.effect();
  }
  arrive(thread);
}

void ToyProgram::arrive(std::size_t thread) {
  Local& local = locals_[thread];
  if (local.stopped || finished(thread)) return;
  local.await.arrive(local.next, local.registers, used_registers_[thread][local.next]);
}

void ToyProgram::begin(std::size_t thread) {
  advance(thread);
  if (options_.awaits) arrive(thread);
}

bool ToyProgram::waits_in_vain(const Local& local) const {
  const auto changed = [&](const AwaitWatch::Read& read) { return value_of(read.from, read.object) != read.value; };
  return local.await.waiting() && std::any_of(local.await.round().begin(), local.await.round().end(), changed);
}

bool ToyProgram::abandoned() const {
  const auto stopped = [](const Local& local) { return local.stopped; };
  const auto in_vain = [&](const Local& local) { return waits_in_vain(local); };
  if (abandoned_) return true;
  return enabled_.empty() && std::none_of(locals_.begin(), locals_.end(), stopped) &&
         std::any_of(locals_.begin(), locals_.end(), in_vain);
}

const Instruction& ToyProgram::instruction(std::size_t thread) const {
  return code_.threads[thread][locals_[thread].next];
}

bool ToyProgram::finished(std::size_t thread) const {
  const Local& local = locals_[thread];
  return local.started && !local.stopped && local.next >= code_.threads[thread].size();
}

void ToyProgram::fail(FindingKind kind, std::size_t thread, std::string message) {
  raised_ = locals_[thread].stopped = true;
  const std::uint64_t place = (thread << 32U) | locals_[thread].next;
  finding_ = {kind, std::move(message), id(thread), 0, (static_cast<std::uint64_t>(kind) << 56U) ^ place};
}

void ToyProgram::advance(std::size_t thread) {
  Local& local = locals_[thread];
  const Thread& code = code_.threads[thread];
  while (local.next < code.size() && !visible(code[local.next].code)) {
    const Instruction& instruction = code[local.next];
    std::int64_t& reg = local.registers.at(instruction.reg);
    const bool equal = reg == instruction.value;
    ++local.next;
    switch (instruction.code) {
      case Code::Set: reg = instruction.value; break;
      case Code::Add: reg += instruction.value; break;
      case Code::AddRegister: reg += local.registers.at(instruction.reg2); break;
      case Code::JumpIf:
        if (equal) local.next = instruction.target;
        break;
      case Code::JumpUnless:
        if (!equal) local.next = instruction.target;
        break;
      case Code::Assert:
        if (!equal) return fail(FindingKind::Assertion, thread, "assertion failed");
        break;
      default:
        if (!equal) {
          abandoned_ = local.stopped = true;
          return;
        }
    }
  }
}

Operation ToyProgram::pending_operation(std::size_t thread) const {
  const Instruction& code = instruction(thread);
  const bool section = code.section == Instruction::Section::Begins;
  return section ? Operation{.kind = OpKind::Unknown, .site = locals_[thread].next + 1} : pending_of(thread, code);
}

Operation ToyProgram::pending_of(std::size_t thread, const Instruction& code) const {
  Operation op{
      .kind = announced(code.code), .size = 1, .object = code.a, .second = code.b, .site = locals_[thread].next + 1};
  switch (op.kind) {
    case OpKind::CondWait:
      if (locals_[thread].in_second_half) op.kind = OpKind::CondWake;
      break;
    case OpKind::BarrierArrive:
      if (locals_[thread].in_second_half) op.kind = OpKind::BarrierLeave;
      break;
    case OpKind::ThreadCreate:
    case OpKind::ThreadJoin:
      op.second = code.a;
      op.object = 0;
      break;
    case OpKind::Cas:
    case OpKind::Await: op.second = static_cast<std::uint64_t>(code.value); break;
    default: break;
  }
  if (is_pair(code.code)) {
    op.size = 2;
    if (op.kind == OpKind::Cas) op.second = pair_of(code.value, code.value);
  }
  op.timed = code.code == Code::TimedLock || code.code == Code::TryJoin ||
             (op.kind == OpKind::CondWake && (code.code == Code::CondTimedWait || options_.spurious_wakeups > 0));
  return op;
}

std::vector<std::size_t> ToyProgram::waiters(std::uint32_t condition) const {
  std::vector<std::size_t> found;
  for (std::size_t t = 0; t < locals_.size(); ++t) {
    const Local& local = locals_[t];
    if (!local.started || finished(t) || !local.in_second_half || local.signalled) continue;
    const Instruction& code = instruction(t);
    if ((code.code == Code::CondWait || code.code == Code::CondTimedWait) && code.a == condition) found.push_back(t);
  }
  return found;
}

std::uint64_t ToyProgram::owner_plus_one(std::uint32_t mutex) const {
  const auto it = shared_.mutex_owner.find(mutex);
  return it == shared_.mutex_owner.end() ? 0 : it->second + 1;
}

bool ToyProgram::may_time_out(std::size_t thread) const { return locals_[thread].timeouts < options_.timeouts; }

Outcomes ToyProgram::outcomes(std::size_t thread) const {
  constexpr Outcomes one{0, 1};
  constexpr Outcomes blocked{};
  const Instruction& code = instruction(thread);
  const Local& local = locals_[thread];
  const auto when = [&](bool possible) { return possible ? one : blocked; };
  const auto free = [&](std::uint32_t mutex) { return !shared_.mutex_owner.contains(mutex); };
  switch (code.code) {
    case Code::Lock: return when(free(code.a));
    case Code::TimedLock: return free(code.a) ? one : Outcomes{kTimeout, may_time_out(thread) ? 1U : 0U};
    case Code::ReadLock: {
      const auto it = shared_.rwlocks.find(code.a);
      return when(it == shared_.rwlocks.end() || !it->second.writer);
    }
    case Code::WriteLock: {
      const auto it = shared_.rwlocks.find(code.a);
      return when(it == shared_.rwlocks.end() || (!it->second.writer && it->second.readers.empty()));
    }
    case Code::SemWait: {
      const auto it = shared_.semaphores.find(code.a);
      return when(it != shared_.semaphores.end() && it->second > 0);
    }
    case Code::Await: {
      const auto it = shared_.memory.find(code.a);
      return when((it == shared_.memory.end() ? 0 : it->second) == code.value);
    }
    case Code::Join: return when(finished(code.a));
    case Code::TryJoin: return finished(code.a) ? Outcomes{0, may_time_out(thread) ? 2U : 1U} : Outcomes{kTimeout, 1};
    case Code::Choose: return {0, static_cast<Outcome>(code.value)};
    case Code::Signal: return {0, std::max<Outcome>(1, static_cast<Outcome>(waiters(code.a).size()))};
    case Code::Barrier: {
      if (!local.in_second_half) return one;
      return when(shared_.barriers.at(code.a).generation != local.barrier_generation);
    }
    case Code::CondWait:
    case Code::CondTimedWait: {
      if (!local.in_second_half) return one;
      if (!free(code.b)) return blocked;
      const bool late = code.code == Code::CondTimedWait && may_time_out(thread);
      if (local.signalled) return late && local.woken_alone ? Outcomes{0, 2} : one;
      const bool spurious = shared_.spurious_used < options_.spurious_wakeups;
      return {late ? kTimeout : kSpurious, (late ? 1U : 0U) + (spurious ? 1U : 0U)};
    }
    default: return one;
  }
}

void ToyProgram::refresh() {
  enabled_.clear();
  forced_ = false;
  std::vector<std::size_t> could_time_out;
  for (std::size_t t = 0; t < locals_.size(); ++t) {
    ThreadState& state = states_[t];
    if (!locals_[t].started) continue;
    if (locals_[t].stopped || locals_[t].await.waiting()) {
      state = {ThreadPhase::Stopped, {}, {}};
      continue;
    }
    if (finished(t)) {
      state = {ThreadPhase::Finished, {}, {}};
      continue;
    }
    state = {ThreadPhase::Pending, pending_operation(t), outcomes(t)};
    if (state.outcomes.count > 0) {
      enabled_.insert(id(t));
      continue;
    }
    const Instruction& code = instruction(t);
    const bool waiting = code.code == Code::CondTimedWait && !shared_.mutex_owner.contains(code.b);
    if (code.code == Code::TimedLock || waiting) could_time_out.push_back(t);
  }
  if (!enabled_.empty()) return;
  // Nobody else can run: time passes until a time-out, however many there were.
  forced_ = !could_time_out.empty();
  for (const std::size_t t : could_time_out) {
    states_[t].outcomes = {kTimeout, 1};
    enabled_.insert(id(t));
  }
}

const Event& ToyProgram::step(Choice choice) {
  const std::size_t thread = choice.thread.value;
  HEDDLE_REQUIRE(enabled_.contains(choice.thread), "step of a thread that is not enabled");
  HEDDLE_REQUIRE(choice.outcome >= states_[thread].outcomes.first && choice.outcome < states_[thread].outcomes.end(),
                 "outcome that the operation does not have");
  raised_ = false;
  event_ = Event{.op = states_[thread].pending,
                 .announced = states_[thread].pending.kind,
                 .total = forced_,
                 .thread = choice.thread,
                 .index = ++locals_[thread].events,
                 .outcome = choice.outcome,
                 .several = states_[thread].outcomes.count > 1};
  const Instruction& performed = instruction(thread);
  section_.clear();
  if (instruction(thread).section == Instruction::Section::Begins) {
    perform_section(thread);
  } else if (perform(thread, choice.outcome)) {
    locals_[thread].in_second_half = false;
    ++locals_[thread].next;
    if (!locals_[thread].stopped) advance(thread);
    if (options_.awaits) watch(thread, performed);
  } else {
    locals_[thread].in_second_half = true;
    locals_[thread].await.effect();
  }
  refresh();
  return event_;
}

std::size_t ToyProgram::run(std::span<const PlannedChoice> prefix) {
  std::size_t performed = 0;
  for (const PlannedChoice& planned : prefix) {
    const ThreadState& state = states_[planned.choice.thread.value];
    if (!enabled_.contains(planned.choice.thread)) break;
    if (digest(state.pending) != planned.digest) break;
    step(planned.choice);
    ++performed;
  }
  return performed;
}

std::optional<Finding> ToyProgram::conclude() {
  const auto stopped = [](const Local& local) { return local.stopped; };
  // Who waits for a thread that failed does not wait for ever: the process ends.
  if (!enabled_.empty() || std::any_of(locals_.begin(), locals_.end(), stopped)) return std::nullopt;
  const auto waiting = [](const Local& local) { return local.await.waiting(); };
  const auto spinner = std::find_if(locals_.begin(), locals_.end(), waiting);
  if (spinner != locals_.end()) {
    if (abandoned()) return std::nullopt;
    return Finding{FindingKind::Livelock, "livelock", id(static_cast<std::size_t>(spinner - locals_.begin())), 0,
                   static_cast<std::uint64_t>(FindingKind::Livelock) << 56U};
  }
  for (std::size_t t = 0; t < locals_.size(); ++t) {
    if (locals_[t].started && !finished(t)) {
      return Finding{FindingKind::Deadlock, "deadlock", id(t), 0,
                     static_cast<std::uint64_t>(FindingKind::Deadlock) << 56U};
    }
  }
  return std::nullopt;
}

std::optional<ThreadId> ToyProgram::find(const ThreadPath& path) const {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
  if (error != std::errc{} || end != path.data() + path.size() || number >= locals_.size()) return std::nullopt;
  return id(number);
}

}  // namespace heddle::toy
