#include "explore/stateful/footprint.hpp"

#include <algorithm>

namespace heddle {
namespace {

ObjectAccess on_thread(std::uint64_t thread, Mode mode) {
  return {detail::object_key(static_cast<std::uint64_t>(ObjectClass::Thread), thread), 1, mode};
}

ObjectAccess on_object(ObjectClass object, std::uint64_t name, Mode mode) {
  return {detail::object_key(static_cast<std::uint64_t>(object), name), 1, mode};
}

ObjectAccess on_wakeup(ThreadId thread) {
  const auto bit = static_cast<std::uint64_t>(std::countr_zero(wake_bit(thread)));
  return {detail::object_key(detail::kWakeClass, bit), 1, Mode::Read};
}

bool finished_by(const Program& program, const Event& event) {
  return program.thread(event.thread).phase == ThreadPhase::Finished;
}

// Who touches what goes with the end of another thread reads that thread's object: the last step writes it.
void add_owners(const Program& program, ThreadId thread, Footprint& footprint) {
  const std::size_t count = footprint.accesses.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto address = detail::address_of(footprint.accesses[i].key);
    const auto owner = address ? program.goes_with(*address) : std::nullopt;
    if (owner && *owner != thread) footprint.accesses.push_back(on_thread(owner->value, Mode::Read));
  }
}

}  // namespace

bool Footprint::conflicts(const Footprint& other) const {
  if (total || other.total) return true;
  for (const ObjectAccess& mine : accesses) {
    for (const ObjectAccess& theirs : other.accesses) {
      if (conflict(mine, theirs)) return true;
    }
  }
  return false;
}

void Footprint::add(const Footprint& other) {
  total = total || other.total;
  accesses.insert(accesses.end(), other.accesses.begin(), other.accesses.end());
}

void footprint_of_step(const Program& program, const Event& event, Footprint& footprint) {
  footprint.accesses.clear();
  const std::span<const ObjectAccess> section = program.section();
  footprint.total = event.total || (section.empty() && is_total(event));
  footprint.accesses.assign(section.begin(), section.end());
  if (section.empty()) {
    visit_accesses(event, [&](const ObjectAccess& access) { footprint.accesses.push_back(access); });
  }
  add_owners(program, event.thread, footprint);
  if (finished_by(program, event)) footprint.accesses.push_back(on_thread(event.thread.value, Mode::Write));
}

void footprint_of_wait(ThreadId thread, const ThreadState& state, Footprint& footprint) {
  footprint.accesses.clear();
  footprint.total = false;
  const auto reads = [&](const ObjectAccess& access) { footprint.accesses.push_back(access); };
  if (state.phase == ThreadPhase::NotStarted) return reads(on_thread(thread.value, Mode::Read));
  if (at_end(state)) return;
  const Operation& op = state.pending;
  footprint.total = op.timed;
  switch (op.kind) {
    case OpKind::MutexLock: return reads(on_object(ObjectClass::Mutex, op.object, Mode::Read));
    case OpKind::RwReadLock:
    case OpKind::RwWriteLock: return reads(on_object(ObjectClass::RwLock, op.object, Mode::Read));
    case OpKind::SemWait: return reads(on_object(ObjectClass::Semaphore, op.object, Mode::Read));
    case OpKind::BarrierLeave: return reads(on_object(ObjectClass::Barrier, op.object, Mode::Read));
    case OpKind::OnceBegin: return reads(on_object(ObjectClass::Once, op.object, Mode::Read));
    case OpKind::ThreadJoin: return reads(on_thread(op.second, Mode::Read));
    case OpKind::Await: return detail::visit_memory(op.object, op.size, Mode::Read, reads);
    case OpKind::CondWake: reads(on_object(ObjectClass::Mutex, op.second, Mode::Read)); [[fallthrough]];
    case OpKind::FutexReturn: return reads(on_wakeup(thread));
    default: footprint.total = true;
  }
}

bool at_end(const ThreadState& state) {
  return state.phase == ThreadPhase::Finished || state.phase == ThreadPhase::Stopped ||
         // Given up by the back-end: stays where it is whatever happens.
         (state.phase == ThreadPhase::Pending && state.pending.kind == OpKind::Unknown && state.outcomes.count == 0);
}

bool only_reads(const Event& event) {
  return event.idle || (!is_total(event) && event.woken == 0 && kind_only_reads(event.op.kind));
}

bool is_idle(const Program& program, const Event& event) {
  if (event.total || program.raised() != nullptr || finished_by(program, event)) return false;
  const std::span<const ObjectAccess> section = program.section();
  if (section.empty()) return only_reads(event);
  return std::all_of(section.begin(), section.end(),
                     [](const ObjectAccess& access) { return detail::only_reads(access.mode); });
}

}  // namespace heddle
