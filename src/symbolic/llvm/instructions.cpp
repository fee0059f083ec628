// Instructions that compute: one case for each kind, and those on numbers, addresses and structures.
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

Machine::Next Machine::execute(Path& path, const llvm::Instruction& instruction) {
  using llvm::dyn_cast;
  if (const auto* i = dyn_cast<llvm::BinaryOperator>(&instruction)) return binary(path, *i);
  if (const auto* i = dyn_cast<llvm::ICmpInst>(&instruction)) return compare(path, *i);
  if (const auto* i = dyn_cast<llvm::CastInst>(&instruction)) return cast(path, *i);
  if (const auto* i = dyn_cast<llvm::GetElementPtrInst>(&instruction)) return address_of_element(path, *i);
  if (const auto* i = dyn_cast<llvm::LoadInst>(&instruction)) return load_register(path, *i);
  if (const auto* i = dyn_cast<llvm::StoreInst>(&instruction)) return store_register(path, *i);
  if (const auto* i = dyn_cast<llvm::AtomicRMWInst>(&instruction)) return read_modify_write(path, *i);
  if (const auto* i = dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return compare_exchange(path, *i);
  if (const auto* i = dyn_cast<llvm::BranchInst>(&instruction)) return branch(path, *i);
  if (const auto* i = dyn_cast<llvm::SwitchInst>(&instruction)) return choose_case(path, *i);
  if (const auto* i = dyn_cast<llvm::ReturnInst>(&instruction)) {
    return give_back(path, i, i->getReturnValue() != nullptr ? scalars(path, i->getReturnValue()) : Scalars{});
  }
  if (const auto* i = dyn_cast<llvm::CallBase>(&instruction)) return call(path, *i);
  if (const auto* i = dyn_cast<llvm::AllocaInst>(&instruction)) {
    const auto* count = dyn_cast<llvm::ConstantInt>(i->getArraySize());
    if (count == nullptr) throw Refused("a local array whose size is not constant");
    const std::uint64_t size = world_.layout.getTypeAllocSize(i->getAllocatedType()) * count->getZExtValue();
    set(path, *i, {pool_.constant(world_.local(thread_, path.stack.frames.size(), *i, size), kAddressBits)});
    return Next::Advance;
  }
  if (const auto* i = dyn_cast<llvm::SelectInst>(&instruction)) {
    const Term condition = value(path, i->getCondition());
    const Scalars yes = scalars(path, i->getTrueValue());
    const Scalars no = scalars(path, i->getFalseValue());
    Scalars result;
    for (std::size_t p = 0; p < yes.size(); ++p) result.push_back(pool_.ite(condition, yes[p], no[p]));
    set(path, *i, std::move(result));
    return Next::Advance;
  }
  if (const auto* i = dyn_cast<llvm::FreezeInst>(&instruction)) {
    set(path, *i, scalars(path, i->getOperand(0)));
    return Next::Advance;
  }
  if (llvm::isa<llvm::FenceInst>(instruction)) return Next::Advance;  // nothing to do under sequential consistency
  if (llvm::isa<llvm::ExtractValueInst>(instruction) || llvm::isa<llvm::InsertValueInst>(instruction)) {
    return aggregate(path, instruction);
  }
  if (llvm::isa<llvm::UnreachableInst>(instruction))
    throw Refused("the program gets where the compiler says it cannot");
  throw Refused(std::string("the instruction `") + instruction.getOpcodeName() + "` is not modelled");
}

Machine::Next Machine::binary(Path& path, const llvm::BinaryOperator& i) {
  if (!i.getType()->isIntegerTy()) throw Refused("arithmetic with floating-point numbers or vectors");
  const Term a = value(path, i.getOperand(0));
  Term b = value(path, i.getOperand(1));
  Op op = Op::Add;
  switch (i.getOpcode()) {
    case llvm::Instruction::Add: op = Op::Add; break;
    case llvm::Instruction::Sub: op = Op::Sub; break;
    case llvm::Instruction::Mul: op = Op::Mul; break;
    case llvm::Instruction::UDiv: op = Op::UDiv; break;
    case llvm::Instruction::SDiv: op = Op::SDiv; break;
    case llvm::Instruction::URem: op = Op::URem; break;
    case llvm::Instruction::SRem: op = Op::SRem; break;
    case llvm::Instruction::Shl: op = Op::Shl; break;
    case llvm::Instruction::LShr: op = Op::LShr; break;
    case llvm::Instruction::AShr: op = Op::AShr; break;
    case llvm::Instruction::And: op = Op::And; break;
    case llvm::Instruction::Or: op = Op::Or; break;
    case llvm::Instruction::Xor: op = Op::Xor; break;
    default: throw Refused("an operation on numbers that is not modelled");
  }
  if (op == Op::UDiv || op == Op::SDiv || op == Op::URem || op == Op::SRem) check_division(path, i, a, b);
  if (op == Op::Shl || op == Op::LShr || op == Op::AShr) b = shift_count(b);
  set(path, i, {pool_.apply(op, a, b)});
  return Next::Advance;
}

// What the processor does not compute: it stops the program instead, for a remainder, too.
void Machine::check_division(Path& path, const llvm::BinaryOperator& i, Term a, Term b) {
  const unsigned width = pool_.width(b);
  check(path, pool_.differ(b, pool_.constant(0, width)), FindingKind::Crash, "division by zero", i);
  if (i.getOpcode() != llvm::Instruction::SDiv && i.getOpcode() != llvm::Instruction::SRem) return;
  const Term least = pool_.equal(a, pool_.constant(std::uint64_t{1} << (width - 1), width));
  const Term minus_one = pool_.equal(b, pool_.constant(mask_of(width), width));
  check(path, pool_.negate(pool_.conj(least, minus_one)), FindingKind::Crash, "division of the least number by -1", i);
}

// Of a shift the processor takes the lowest five bits (six for 64-bit numbers); C leaves open what further ones do.
Term Machine::shift_count(Term count) {
  const unsigned width = pool_.width(count);
  return pool_.apply(Op::And, count, pool_.constant(width == 64 ? 63 : 31, width));
}

Machine::Next Machine::compare(Path& path, const llvm::ICmpInst& i) {
  Term a = value(path, i.getOperand(0));
  Term b = value(path, i.getOperand(1));
  using P = llvm::CmpInst::Predicate;
  const P predicate = i.getPredicate();
  const bool swaps =
      predicate == P::ICMP_UGT || predicate == P::ICMP_SGT || predicate == P::ICMP_ULE || predicate == P::ICMP_SLE;
  if (swaps) std::swap(a, b);
  Term result;
  switch (predicate) {
    case P::ICMP_EQ: result = pool_.equal(a, b); break;
    case P::ICMP_NE: result = pool_.differ(a, b); break;
    case P::ICMP_UGT:
    case P::ICMP_ULT: result = pool_.apply(Op::ULess, a, b); break;
    case P::ICMP_SGT:
    case P::ICMP_SLT: result = pool_.apply(Op::SLess, a, b); break;
    case P::ICMP_ULE:
    case P::ICMP_UGE: result = pool_.negate(pool_.apply(Op::ULess, a, b)); break;
    default: result = pool_.negate(pool_.apply(Op::SLess, a, b)); break;
  }
  set(path, i, {result});
  return Next::Advance;
}

Machine::Next Machine::cast(Path& path, const llvm::CastInst& i) {
  const Scalars from = scalars(path, i.getOperand(0));
  const std::vector<ScalarPart> to = parts_of(world_.layout, i.getDestTy());
  if (from.size() != 1 || to.size() != 1) throw Refused("a conversion of something that is not one number");
  switch (i.getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast: set(path, i, {pool_.resize(from[0], to[0].width, false)}); break;
    case llvm::Instruction::SExt: set(path, i, {pool_.resize(from[0], to[0].width, true)}); break;
    default: throw Refused("a conversion to or from floating-point numbers");
  }
  return Next::Advance;
}

Machine::Next Machine::address_of_element(Path& path, const llvm::GetElementPtrInst& i) {
  Term address = value(path, i.getPointerOperand());
  for (auto step = llvm::gep_type_begin(i); step != llvm::gep_type_end(i); ++step) {
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(step.getOperand())->getZExtValue());
      address = pool_.add(address, world_.layout.getStructLayout(structure)->getElementOffset(field));
    } else {
      const Term index = pool_.resize(value(path, step.getOperand()), 64, true);
      const std::uint64_t size = step.getSequentialElementStride(world_.layout);
      address = pool_.apply(Op::Add, address, pool_.apply(Op::Mul, index, pool_.constant(size, 64)));
    }
  }
  set(path, i, {address});
  return Next::Advance;
}

Machine::Next Machine::aggregate(Path& path, const llvm::Instruction& i) {
  const auto first_part = [&](llvm::Type* type, llvm::ArrayRef<unsigned> indices) {
    std::size_t first = 0;
    for (const unsigned index : indices) {
      for (unsigned before = 0; before < index; ++before) {
        llvm::Type* inner = type->isStructTy() ? type->getStructElementType(before) : type->getArrayElementType();
        first += parts_of(world_.layout, inner).size();
      }
      type = type->isStructTy() ? type->getStructElementType(index) : type->getArrayElementType();
    }
    return first;
  };
  if (const auto* take = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) {
    const Scalars all = scalars(path, take->getAggregateOperand());
    const std::size_t first = first_part(take->getAggregateOperand()->getType(), take->getIndices());
    const std::size_t count = parts_of(world_.layout, i.getType()).size();
    set(path, i,
        Scalars(all.begin() + static_cast<std::ptrdiff_t>(first),
                all.begin() + static_cast<std::ptrdiff_t>(first + count)));
    return Next::Advance;
  }
  const auto& put = llvm::cast<llvm::InsertValueInst>(i);
  Scalars all = scalars(path, put.getAggregateOperand());
  const Scalars part = scalars(path, put.getInsertedValueOperand());
  const std::size_t first = first_part(put.getType(), put.getIndices());
  std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
  set(path, i, std::move(all));
  return Next::Advance;
}

}  // namespace heddle::symbolic
