#include "model/dependency.hpp"

namespace heddle {
namespace {

struct Range {
  std::uint64_t begin;
  std::uint64_t length;
};

constexpr bool overlap(Range a, Range b) noexcept {
  return a.begin < b.begin + b.length && b.begin < a.begin + a.length;
}

// The range an access covers. Memory is as long as the access; every other object is named by its first byte.
constexpr Range first_range(const Operation& op) noexcept {
  const bool memory = traits(op.kind).first.object == ObjectClass::Memory;
  return {op.object, memory && op.size > 0 ? op.size : 1};
}

constexpr Range second_range(const Operation& op) noexcept {
  const bool futex = traits(op.kind).second.object == ObjectClass::Futex;  // its queue is named by the word itself
  return {futex ? op.object : op.second, 1};
}

bool governs(const Event& creator_or_joiner, const Event& other) noexcept {
  const OpKind kind = creator_or_joiner.op.kind;
  return (kind == OpKind::ThreadCreate || kind == OpKind::ThreadJoin) &&
         creator_or_joiner.op.second == other.thread.value;
}

}  // namespace

bool dependent(const Event& a, const Event& b) noexcept {
  if (a.thread == b.thread || governs(a, b) || governs(b, a)) return true;
  switch (relation(a.op.kind, b.op.kind)) {
    case Relation::Independent: return false;
    case Relation::Dependent: return true;
    case Relation::IfSameObject: break;
  }
  if ((a.woken & b.woken) != 0) return true;
  const KindTraits& ka = traits(a.op.kind);
  const KindTraits& kb = traits(b.op.kind);
  return (detail::may_conflict(ka.first, kb.first) && overlap(first_range(a.op), first_range(b.op))) ||
         (detail::may_conflict(ka.first, kb.second) && overlap(first_range(a.op), second_range(b.op))) ||
         (detail::may_conflict(ka.second, kb.first) && overlap(second_range(a.op), first_range(b.op))) ||
         (detail::may_conflict(ka.second, kb.second) && overlap(second_range(a.op), second_range(b.op)));
}

}  // namespace heddle
