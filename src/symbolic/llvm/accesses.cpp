// Loads, stores and atomic operations.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {
namespace {

// Relaxed accesses order nothing; taken as if they did, they would hide data races.
void refuse_relaxed(llvm::AtomicOrdering order) {
  if (order == llvm::AtomicOrdering::Monotonic || order == llvm::AtomicOrdering::Unordered) {
    throw Refused("a relaxed atomic access, whose data races are not looked for");
  }
}

}  // namespace

Machine::Next Machine::load_register(Path& path, const llvm::LoadInst& i) {
  const Term address = value(path, i.getPointerOperand());
  const Sharing sharing = i.isAtomic() ? Sharing::Atomic : sharing_of(path, i.getPointerOperand(), address);
  if (sharing != Sharing::Private && !gate(path, i, !i.isAtomic())) return Next::Stop;
  if (i.isAtomic()) {
    refuse_relaxed(i.getOrdering());
    if (path.stack.atomic == 0) event(path);
  }
  const FailureId failure = invalid(i);
  Scalars result;
  for (const ScalarPart& part : parts_of(world_.layout, i.getType())) {
    const Term bits = load(path, pool_.add(address, part.offset), stored_width(part.width), sharing, failure);
    result.push_back(pool_.extract(bits, 0, part.width));
  }
  set(path, i, std::move(result));
  return Next::Advance;
}

Machine::Next Machine::store_register(Path& path, const llvm::StoreInst& i) {
  const Term address = value(path, i.getPointerOperand());
  const Sharing sharing = i.isAtomic() ? Sharing::Atomic : sharing_of(path, i.getPointerOperand(), address);
  if (sharing != Sharing::Private && !gate(path, i, !i.isAtomic())) return Next::Stop;
  if (i.isAtomic()) {
    refuse_relaxed(i.getOrdering());
    if (path.stack.atomic == 0) event(path);
  }
  const FailureId failure = invalid(i);
  const Scalars values = scalars(path, i.getValueOperand());
  const std::vector<ScalarPart> parts = parts_of(world_.layout, i.getValueOperand()->getType());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    store(path, pool_.add(address, parts[p].offset), pool_.resize(values[p], stored_width(parts[p].width), false),
          sharing, failure);
  }
  return Next::Advance;
}

Machine::Next Machine::read_modify_write(Path& path, const llvm::AtomicRMWInst& i) {
  if (!i.use_empty()) refuse_relaxed(i.getOrdering());
  if (!gate(path, i, false)) return Next::Stop;
  if (path.stack.atomic == 0) event(path);
  const Term address = value(path, i.getPointerOperand());
  const Term operand = value(path, i.getValOperand());
  const unsigned width = pool_.width(operand);
  const FailureId failure = invalid(i);
  const Term old = pool_.extract(load(path, address, stored_width(width), Sharing::Atomic, failure), 0, width);
  Term next;
  using R = llvm::AtomicRMWInst;
  switch (i.getOperation()) {
    case R::Xchg: next = operand; break;
    case R::Add: next = pool_.apply(Op::Add, old, operand); break;
    case R::Sub: next = pool_.apply(Op::Sub, old, operand); break;
    case R::And: next = pool_.apply(Op::And, old, operand); break;
    case R::Nand: next = pool_.negate(pool_.apply(Op::And, old, operand)); break;
    case R::Or: next = pool_.apply(Op::Or, old, operand); break;
    case R::Xor: next = pool_.apply(Op::Xor, old, operand); break;
    case R::Max: next = pool_.ite(pool_.apply(Op::SLess, old, operand), operand, old); break;
    case R::Min: next = pool_.ite(pool_.apply(Op::SLess, old, operand), old, operand); break;
    case R::UMax: next = pool_.ite(pool_.apply(Op::ULess, old, operand), operand, old); break;
    case R::UMin: next = pool_.ite(pool_.apply(Op::ULess, old, operand), old, operand); break;
    default: throw Refused("an atomic operation that is not modelled");
  }
  store(path, address, pool_.resize(next, stored_width(width), false), Sharing::Atomic, failure);
  set(path, i, {old});
  return Next::Advance;
}

// Two ways: a compare-exchange that fails only reads.
Machine::Next Machine::compare_exchange(Path& path, const llvm::AtomicCmpXchgInst& i) {
  refuse_relaxed(i.getSuccessOrdering());
  if (!gate(path, i, false)) return Next::Stop;
  if (path.stack.atomic == 0) event(path);
  const Term address = value(path, i.getPointerOperand());
  const Term expected = value(path, i.getCompareOperand());
  const Term wanted = value(path, i.getNewValOperand());
  const unsigned width = pool_.width(expected);
  const FailureId failure = invalid(i);
  const Term old = pool_.extract(load(path, address, stored_width(width), Sharing::Atomic, failure), 0, width);
  const Term matches = pool_.equal(old, expected);
  if (pool_.is_constant(matches)) {
    if (pool_.is_true(matches)) {
      store(path, address, pool_.resize(wanted, stored_width(width), false), Sharing::Atomic, failure);
    }
    set(path, i, {old, matches});
    return Next::Advance;
  }
  fork(path, matches, [&](Path& p) {
    store(p, address, pool_.resize(wanted, stored_width(width), false), Sharing::Atomic, failure);
    set(p, i, {expected, pool_.truth(true)});
    advance(p);
  });
  fork(path, pool_.negate(matches), [&](Path& p) {
    set(p, i, {old, pool_.truth(false)});
    advance(p);
  });
  return Next::Ended;
}

}  // namespace heddle::symbolic
