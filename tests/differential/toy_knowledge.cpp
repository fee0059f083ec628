#include "differential/toy_knowledge.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::differential {
namespace {

using toy::Code;
using toy::Instruction;

class Analysis {
 public:
  Analysis(const toy::ToyCode& code, toy::ToyOptions options, Exactness exactness)
      : code_(code), options_(options), exactness_(exactness) {
    number({});  // everything
    knowledge_.table.locations.push_back({{0}, {0}});
  }

  StaticKnowledge run() {
    std::vector<std::uint32_t> first;  // location of each thread's first instruction
    std::uint32_t next = 1;
    for (const toy::Thread& thread : code_.threads) {
      first.push_back(next);
      next += static_cast<std::uint32_t>(thread.size());
    }
    for (std::size_t t = 0; t < code_.threads.size(); ++t) {
      const std::vector<Held> held = held_in(code_.threads[t]);
      for (std::size_t i = 0; i < code_.threads[t].size(); ++i) {
        const std::set<std::uint32_t> at =
            unknown(i) ? std::set<std::uint32_t>{0} : accesses(code_.threads[t][i], held[i]);
        const bool whole = exactness_ == Exactness::WholeThreads;
        const std::set<std::uint32_t> after = from(t, whole ? 0 : i, whole);
        knowledge_.table.locations.push_back({{at.begin(), at.end()}, {after.begin(), after.end()}});
      }
    }
    knowledge_.locate = [first](ThreadId thread, const Operation& op) {
      return first[thread.value] + static_cast<std::uint32_t>(op.site) - 1;
    };
    return std::move(knowledge_);
  }

 private:
  using Lock = std::pair<Code, std::uint32_t>;  // the call that takes it, and the object
  using Held = std::set<Lock>;

  std::uint32_t number(StaticAccess access) {
    const auto [entry, fresh] = numbers_.try_emplace(access, static_cast<std::uint32_t>(numbers_.size()));
    if (fresh) knowledge_.table.accesses.push_back(access);
    return entry->second;
  }

  static std::vector<std::size_t> successors(const toy::Thread& thread, std::size_t i) {
    std::vector<std::size_t> next;
    if (i + 1 < thread.size()) next.push_back(i + 1);
    const bool jumps = thread[i].code == Code::JumpIf || thread[i].code == Code::JumpUnless;
    if (jumps && thread[i].target < thread.size()) next.push_back(thread[i].target);
    return next;
  }

  // Locks that are certainly held before each instruction.
  static std::vector<Held> held_in(const toy::Thread& thread) {
    std::vector<std::optional<Held>> before(thread.size());
    if (!before.empty()) before[0] = Held{};
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < thread.size(); ++i) {
        if (!before[i]) continue;
        Held after = *before[i];
        const Instruction& code = thread[i];
        const bool takes = code.code == Code::Lock || code.code == Code::ReadLock || code.code == Code::WriteLock;
        if (takes) after.insert({code.code, code.a});
        if (const auto lock = released(code)) after.erase(*lock);
        for (const std::size_t next : successors(thread, i)) {
          Held merged;
          if (!before[next]) {
            merged = after;
          } else {
            std::set_intersection(after.begin(), after.end(), before[next]->begin(), before[next]->end(),
                                  std::inserter(merged, merged.end()));
          }
          if (before[next] == merged) continue;
          before[next] = merged;
          changed = true;
        }
      }
    }
    std::vector<Held> held;
    for (const std::optional<Held>& entry : before) held.push_back(entry.value_or(Held{}));
    return held;
  }

  static std::optional<Lock> released(const Instruction& code) {
    switch (code.code) {
      case Code::Unlock: return Lock{Code::Lock, code.a};
      case Code::ReadUnlock: return Lock{Code::ReadLock, code.a};
      case Code::WriteUnlock: return Lock{Code::WriteLock, code.a};
      default: return std::nullopt;
    }
  }

  [[nodiscard]] bool unknown(std::size_t instruction) const {
    return exactness_ == Exactness::ThirdUnknown && instruction % 3 == 1;
  }

  [[nodiscard]] std::uint32_t object(std::uint32_t name) const {
    return exactness_ == Exactness::MergedObjects ? name / 2 : name;
  }

  // What an instruction touches itself.
  std::set<std::uint32_t> accesses(const Instruction& code, const Held& held) {
    using enum StaticMode;
    const auto one = [&](ObjectClass of, StaticMode mode) -> std::set<std::uint32_t> {
      return {number({object(code.a), of, mode, false})};
    };
    if (code.section != Instruction::Section::None) return {0};
    switch (code.code) {
      case Code::Read:
      case Code::Await: return one(ObjectClass::Memory, Read);
      case Code::Write:
      case Code::FetchAdd:
      case Code::Cas: return one(ObjectClass::Memory, Write);
      case Code::ReadPair:
      case Code::WritePair:
      case Code::CasPair: {
        const StaticMode mode = code.code == Code::ReadPair ? Read : Write;
        return {number({object(code.a), ObjectClass::Memory, mode, false}),
                number({object(code.a + 1), ObjectClass::Memory, mode, false})};
      }
      case Code::System: return {0};
      case Code::Lock: return one(ObjectClass::Mutex, Acquire);
      case Code::TryLock: return one(ObjectClass::Mutex, Try);
      case Code::Unlock: return one(ObjectClass::Mutex, held.contains(*released(code)) ? Release : Write);
      case Code::ReadLock: return one(ObjectClass::RwLock, Read);
      case Code::WriteLock: return one(ObjectClass::RwLock, Acquire);
      case Code::TryReadLock:
      case Code::TryWriteLock: return one(ObjectClass::RwLock, Try);
      case Code::ReadUnlock:
      case Code::WriteUnlock: return one(ObjectClass::RwLock, held.contains(*released(code)) ? Release : Write);
      case Code::SemWait:
      case Code::SemTryWait:
      case Code::SemPost: return one(ObjectClass::Semaphore, Write);
      case Code::CondWait: {
        if (options_.spurious_wakeups > 0) return {0};
        const std::uint32_t mutex = object(code.b);
        const StaticMode gives = held.contains({Code::Lock, code.b}) ? Release : Write;
        return {number({object(code.a), ObjectClass::Condition, Write, false}),
                number({mutex, ObjectClass::Mutex, gives, false}), number({mutex, ObjectClass::Mutex, Acquire, false})};
      }
      case Code::Signal:
      case Code::Broadcast: return one(ObjectClass::Condition, Write);
      case Code::Barrier: return one(ObjectClass::Barrier, Write);
      case Code::Join: return {number({0, ObjectClass::Thread, Write, false})};
      case Code::TryJoin:
      case Code::TimedLock:
      case Code::CondTimedWait: return {0};
      default: return {};
    }
  }

  // What may be touched from an instruction on, by threads created on the way too.
  std::set<std::uint32_t> from(std::size_t thread, std::size_t instruction, bool whole) {
    std::set<std::uint32_t> found;
    std::set<std::pair<std::size_t, std::size_t>> seen;
    std::vector<std::pair<std::size_t, std::size_t>> work{{thread, instruction}};
    while (!work.empty()) {
      const auto [t, i] = work.back();
      work.pop_back();
      if (i >= code_.threads[t].size() || !seen.insert({t, i}).second) continue;
      const Instruction& code = code_.threads[t][i];
      if (unknown(i)) found.insert(0);
      const std::set<std::uint32_t> at = accesses(code, held_in(code_.threads[t])[i]);
      found.insert(at.begin(), at.end());
      if (code.code == Code::Create) work.emplace_back(code.a, 0);
      if (whole) work.emplace_back(t, i + 1);
      for (const std::size_t next : successors(code_.threads[t], i)) work.emplace_back(t, next);
    }
    return found;
  }

  const toy::ToyCode& code_;
  toy::ToyOptions options_;
  Exactness exactness_;
  StaticKnowledge knowledge_;
  std::map<StaticAccess, std::uint32_t> numbers_;
};

}  // namespace

StaticKnowledge toy_knowledge(const toy::ToyCode& code, toy::ToyOptions options, Exactness exactness) {
  return Analysis(code, options, exactness).run();
}

std::unique_ptr<ToyReduction> reduction_for(const toy::ToyCode& code, toy::ToyOptions options, ReductionChoice choice) {
  auto made = std::make_unique<ToyReduction>();
  if (choice.kind == ReductionKind::Static && choice.known == nullptr) {
    made->known = toy_knowledge(code, options);
    choice.known = &made->known;
  }
  made->reduction = make_reduction(choice, true);
  return made;
}

}  // namespace heddle::differential
