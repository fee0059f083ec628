#include "explore/static_sets.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace heddle {
namespace {

constexpr std::size_t kBits = 64;

bool intersect(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

bool releases(OpKind kind) {
  return kind == OpKind::MutexUnlock || kind == OpKind::RwReadUnlock || kind == OpKind::RwWriteUnlock ||
         kind == OpKind::CondWait;
}

bool acquires(OpKind kind) {
  return kind == OpKind::MutexLock || kind == OpKind::RwReadLock || kind == OpKind::RwWriteLock ||
         kind == OpKind::CondWake;
}

bool has_class(OpKind kind, ObjectClass wanted) {
  const KindTraits& row = traits(kind);
  // A wake-up belongs to the condition variable, though it no longer touches it: signals enable it.
  if (kind == OpKind::CondWake && wanted == ObjectClass::Condition) return true;
  return row.first.object == wanted || row.second.object == wanted;
}

// Whether an operation depends on all others, or may turn out to.
bool is_total(const Operation& op) {
  return op.timed || has_class(op.kind, ObjectClass::Any) || has_class(op.kind, ObjectClass::Signals) ||
         op.kind == OpKind::FutexReturn || op.kind == OpKind::Allocate || op.kind == OpKind::WeakCas ||
         op.kind == OpKind::MutexAbandon;  // which no line of the program stands for
}

// An access of the next operation with one that another thread may make, to one object. `enabled`: the operation.
bool conflict(StaticMode next, bool enabled, StaticMode other) {
  using enum StaticMode;
  switch (next) {
    case Read:
      if (other == Release) return !enabled;  // by another reader, which commutes
      return other != Read;
    case Acquire: return other != Release || !enabled;
    case Release: return other == Try || other == Write;
    case Try:
    case Write: return true;
  }
  return true;
}

}  // namespace

StaticSets::StaticSets(const StaticKnowledge& known) : known_(known) {
  const StaticTable& table = known.table;
  HEDDLE_REQUIRE(!table.locations.empty(), "a table of static accesses has the unknown location");
  everything_.assign((table.accesses.size() + kBits - 1) / kBits, ~std::uint64_t{0});
  for (const StaticLocation& location : table.locations) later_.push_back(set_of(location.later));
  std::vector<std::uint32_t> any;
  std::vector<std::uint32_t> sleeping;
  for (std::uint32_t number = 0; number < table.accesses.size(); ++number) {
    const ObjectClass object_class = table.accesses[number].object_class;
    if (object_class == ObjectClass::Any) any.push_back(number);
    if (object_class == ObjectClass::Condition || object_class == ObjectClass::Futex) sleeping.push_back(number);
  }
  any_ = set_of(any);
  sleeping_ = set_of(sleeping);
}

StaticSets::Accesses StaticSets::set_of(const std::vector<std::uint32_t>& numbers) const {
  Accesses set(everything_.size(), 0);
  for (const std::uint32_t number : numbers) {
    if (known_.table.accesses[number].plain && !known_.visible_all) continue;
    set[number / kBits] |= std::uint64_t{1} << (number % kBits);
  }
  return set;
}

bool StaticSets::foreseen(std::uint32_t location, const Operation& next) const {
  const std::vector<std::uint32_t>& numbers = known_.table.locations[location].next;
  return std::any_of(numbers.begin(), numbers.end(), [&](std::uint32_t number) {
    const StaticAccess& access = known_.table.accesses[number];
    if (access.plain && !known_.visible_all) return false;
    // Where all accesses are visible, copying memory is an operation on everything: with what it copies foreseen, so is
    // what others have to do with it.
    const bool copies = next.kind == OpKind::Unknown && access.object_class == ObjectClass::Memory;
    return access.object_class == ObjectClass::Any || has_class(next.kind, access.object_class) || copies;
  });
}

const StaticSets::Accesses& StaticSets::conflicting(std::uint32_t location, const Operation& next, bool enabled) {
  const auto [entry, fresh] = conflicting_.try_emplace({location, next.kind, enabled});
  Accesses& set = entry->second;
  if (!fresh) return set;
  set.assign(everything_.size(), 0);
  const std::vector<StaticAccess>& accesses = known_.table.accesses;
  for (std::uint32_t other = 0; other < accesses.size(); ++other) {
    bool conflicts = accesses[other].object_class == ObjectClass::Any;
    for (const std::uint32_t number : known_.table.locations[location].next) {
      const StaticAccess& access = accesses[number];
      if (access.object_class == ObjectClass::Any) conflicts = true;
      if (!has_class(next.kind, access.object_class)) continue;
      // A line may have both; the operation is one of them.
      if (releases(next.kind) && access.mode == StaticMode::Acquire) continue;
      if (acquires(next.kind) && access.mode == StaticMode::Release) continue;
      conflicts = conflicts ||
                  (access.object == accesses[other].object && access.object_class == accesses[other].object_class &&
                   conflict(access.mode, enabled, accesses[other].mode));
    }
    if (conflicts) set[other / kBits] |= std::uint64_t{1} << (other % kBits);
  }
  return set;
}

void StaticSets::look(const Program& program) {
  const std::size_t count = program.thread_count();
  locations_.assign(count, kUnknownLocation);
  pending_.assign(count, false);
  for (std::size_t t = 0; t < count; ++t) {
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    const ThreadState& state = program.thread(thread);
    if (state.phase != ThreadPhase::Pending) continue;
    pending_[t] = true;
    locations_[t] = known_.locate(thread, state.pending);
  }
  looked_ = true;
}

bool StaticSets::may_conflict(const Program& program, std::size_t member, std::size_t other) {
  const ThreadState& state = program.thread(ThreadId{static_cast<std::uint16_t>(member)});
  const Operation& next = state.pending;
  if (is_total(next) || locations_[member] == kUnknownLocation) return true;
  const bool enabled = state.outcomes.count > 0;
  if (next.kind == OpKind::ThreadJoin && !enabled && next.second == other) return true;
  // What is touched goes with the end of the other thread, which no line of the program stands for.
  const ThreadId owner{static_cast<std::uint16_t>(other)};
  if (program.goes_with(next.object) == owner || program.goes_with(next.second) == owner) return true;
  // All wake-ups of threads that share a bit depend on each other: see wake_bit.
  const bool shared = program.thread_count() > kOwnWakeBits && traits(next.kind).wakes;
  if (shared && intersect(sleeping_, later(locations_[other]))) return true;
  return intersect(conflicting(locations_[member], next, enabled), later(locations_[other]));
}

// Whether a thread can take no step before one of the members has: it waits to join one, or one that itself does.
bool StaticSets::waits_for_member(const Program& program, std::size_t thread, const ThreadSet& members) const {
  for (std::size_t hops = 0; hops < pending_.size(); ++hops) {
    const ThreadState& state = program.thread(ThreadId{static_cast<std::uint16_t>(thread)});
    const bool waits = state.phase == ThreadPhase::Pending && state.pending.kind == OpKind::ThreadJoin &&
                       state.outcomes.count == 0 && !state.pending.timed;
    if (!waits) return false;
    thread = state.pending.second;
    if (members.contains(ThreadId{static_cast<std::uint16_t>(thread)})) return true;
  }
  return false;
}

void StaticSets::close(const Program& program, ThreadSet& members) {
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t other = 0; other < pending_.size(); ++other) {
      const ThreadId candidate{static_cast<std::uint16_t>(other)};
      if (!pending_[other] || members.contains(candidate) || waits_for_member(program, other, members)) continue;
      for (auto member = members.first(); member; member = members.after(*member)) {
        if (!may_conflict(program, member->value, other)) continue;
        members.insert(candidate);
        grown = true;
        break;
      }
    }
  }
}

const ThreadSet& StaticSets::find(const Program& program) {
  look(program);
  const ThreadSet& enabled = program.enabled();
  found_ = enabled;
  std::size_t fewest = enabled.size();
  for (auto seed = enabled.first(); seed && fewest > 1; seed = enabled.after(*seed)) {
    ThreadSet members;
    members.insert(*seed);
    close(program, members);
    ThreadSet chosen;
    for (auto member = members.first(); member; member = members.after(*member)) {
      if (enabled.contains(*member)) chosen.insert(*member);
    }
    if (chosen.size() < fewest) {
      fewest = chosen.size();
      found_ = chosen;
    }
  }
  return found_;
}

void StaticSets::check_step(const Program& program, const Event& event) {
  if (!looked_ || event.thread.value >= locations_.size()) return;
  looked_ = false;
  const Accesses& before = later(locations_[event.thread.value]);
  const auto check = [&](ThreadId thread) {
    const ThreadState& state = program.thread(thread);
    if (state.phase != ThreadPhase::Pending) return;
    const std::uint32_t location = known_.locate(thread, state.pending);
    const Accesses& now = later(location);
    for (std::size_t i = 0; i < now.size(); ++i) {
      HEDDLE_REQUIRE((now[i] & ~before[i]) == 0 || intersect(before, any_),
                     "a thread came to code that the static analysis had not foreseen");
    }
    const KindTraits& row = traits(state.pending.kind);
    const bool touches = row.first.object != ObjectClass::None || row.second.object != ObjectClass::None;
    HEDDLE_REQUIRE(!touches || row.second.object == ObjectClass::Thread || foreseen(location, state.pending),
                   "a thread is about to do what the static analysis had not foreseen");
  };
  check(event.thread);
  if (event.op.kind == OpKind::ThreadCreate) check(ThreadId{static_cast<std::uint16_t>(event.op.second)});
}

}  // namespace heddle
