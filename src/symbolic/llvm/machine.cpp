#include "symbolic/llvm/machine.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "base/contract.hpp"

namespace heddle::symbolic {
namespace {

constexpr unsigned kMostInstructions = 100'000;  // of one transition; then it is cut in two
constexpr unsigned kMostAlone = 20'000'000;
constexpr std::size_t kMostFrames = 100;
constexpr std::size_t kMostWays = 4096;  // out of one location
constexpr std::uint64_t kMostCopied = 1U << 16U;

const llvm::Instruction* first_of(const llvm::BasicBlock& block) { return block.getFirstNonPHI(); }

}  // namespace

Stack Machine::stack_of(const llvm::Function& function, const std::vector<Scalars>& arguments, World& world) {
  CallFrame frame;
  frame.function = &function;
  frame.next = first_of(function.getEntryBlock());
  for (unsigned i = 0; i < function.arg_size() && i < arguments.size(); ++i) {
    frame.registers[world.info(function).number(function.getArg(i))] = arguments[i];
  }
  Stack stack;
  stack.frames.push_back(std::move(frame));
  return stack;
}

// ---- the path
// --------------------------------------------------------------------------------------------------------

std::vector<Transition> Machine::run(const Stack& stack) {
  found_.clear();
  Path path;
  path.stack = stack;
  follow(std::move(path));
  return std::move(found_);
}

bool Machine::run_alone(Stack& stack) {
  alone_ = true;
  Path path;
  path.stack = stack;
  bool returned = false;
  while (!returned) {
    Path before = path;
    try {
      if (++path.instructions > kMostAlone) throw NotAlone{};
      const llvm::Instruction& instruction = *top(path).next;
      if (llvm::isa<llvm::ReturnInst>(instruction) && path.stack.frames.size() == 1) {
        returned = true;
        break;
      }
      const Next next = execute(path, instruction);
      if (next == Next::Stop || next == Next::Ended) throw NotAlone{};
      if (next == Next::Advance) advance(path);
    } catch (const NotAlone&) {
      path = std::move(before);
      break;
    } catch (const Refused&) {
      path = std::move(before);
      break;
    }
  }
  alone_ = false;
  stack = std::move(path.stack);
  return returned;
}

void Machine::follow(Path path) {
  for (;;) {
    const llvm::Instruction& instruction = *top(path).next;
    Next next = Next::Stop;
    try {
      if (found_.size() > kMostWays) throw Refused("more than 4096 ways between two scheduling points");
      if (++path.instructions < kMostInstructions) next = execute(path, instruction);
    } catch (const Refused& refusal) {
      fail(path, world_.fail(FindingKind::Assertion, refusal.what(), &instruction, true));
      return;
    }
    if (next == Next::Ended) return;
    if (next == Next::Stop) return stop(std::move(path));
    if (next == Next::Advance) advance(path);
  }
}

void Machine::stop(Path path) {
  if (alone_) throw NotAlone{};
  auto [location, updates] = world_.enter(thread_, std::move(path.stack));
  found_.push_back({location, std::move(path.actions), std::move(updates), path.label});
}

void Machine::finish(Path path, LocationKind kind) {
  if (alone_) throw NotAlone{};
  found_.push_back({world_.end(thread_, kind), std::move(path.actions), {}, path.label});
}

void Machine::fail(Path& path, FailureId failure) {
  if (alone_) throw NotAlone{};
  path.actions.push_back(Check{pool_.truth(false), failure});
  found_.push_back({world_.end(thread_, LocationKind::Finished), std::move(path.actions), {}, path.label});
}

void Machine::advance(Path& path) {
  CallFrame& frame = top(path);
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(frame.next)) {
    jump(path, *invoke->getParent(), *invoke->getNormalDest());
    return;
  }
  frame.next = frame.next->getNextNode();
  frame.phase = 0;
}

void Machine::jump(Path& path, const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  CallFrame& frame = top(path);
  std::vector<std::pair<const llvm::PHINode*, Scalars>> values;
  for (const llvm::PHINode& phi : to.phis())
    values.emplace_back(&phi, scalars(path, phi.getIncomingValueForBlock(&from)));
  for (auto& [phi, parts] : values) set(path, *phi, std::move(parts));
  frame.next = first_of(to);
  frame.phase = 0;
}

void Machine::fork(const Path& path, Term condition, const std::function<void(Path&)>& change) {
  if (pool_.is_false(condition)) return;
  if (alone_) throw NotAlone{};
  Path other = path;
  if (!pool_.is_true(condition)) other.actions.push_back(Assume{condition});
  change(other);
  follow(std::move(other));
}

void Machine::fail_where(const Path& path, Term condition, FailureId failure) {
  if (pool_.is_false(condition)) return;
  Path other = path;
  other.actions.push_back(Assume{condition});
  fail(other, failure);
}

// Whether an operation that others may notice belongs to this transition.
bool Machine::gate(Path& path, const llvm::Instruction& at, bool plain) {
  if (alone_) return true;
  if (path.stack.atomic > 0) {
    if (!plain && llvm::isa<llvm::CallBase>(at)) throw Refused("synchronisation inside an atomic section");
    return true;
  }
  const bool fits = path.mode == Mode::Fresh || (plain && path.mode == Mode::Plain);
  if (!fits) return false;
  if (path.mode == Mode::Fresh) {
    const auto* c = llvm::dyn_cast<llvm::CallBase>(&at);
    const llvm::Function* callee = c != nullptr ? c->getCalledFunction() : nullptr;
    path.label = std::string(callee != nullptr ? callee->getName().str() : at.getOpcodeName()) + " " + place_text(&at);
  }
  path.mode = plain ? Mode::Plain : Mode::Synchronised;
  return true;
}

// ---- registers and memory
// --------------------------------------------------------------------------------------------

Scalars Machine::scalars(Path& path, const llvm::Value* of) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(of)) return world_.objects.constant(*constant, thread_);
  const CallFrame& frame = top(path);
  const auto held = frame.registers.find(world_.info(*frame.function).number(of));
  HEDDLE_REQUIRE(held != frame.registers.end(), "a register is written before it is read");
  return held->second;
}

void Machine::set(Path& path, const llvm::Instruction& instruction, Scalars values) {
  CallFrame& frame = top(path);
  frame.registers[world_.info(*frame.function).number(&instruction)] = std::move(values);
}

void Machine::set(Path& path, const llvm::Instruction& instruction, std::uint64_t number) {
  if (instruction.getType()->isVoidTy()) return;
  Scalars values;
  for (const ScalarPart& part : parts_of(world_.layout, instruction.getType())) {
    values.push_back(pool_.constant(number, part.width));
  }
  set(path, instruction, std::move(values));
}

FailureId Machine::invalid(const llvm::Instruction& at) {
  return world_.fail(FindingKind::Crash, "access to memory that is not there: null, freed or out of bounds", &at);
}

Sharing Machine::sharing_of(Path& path, const llvm::Value* pointer, Term address) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object); variable != nullptr && stays_local(*variable)) {
    return Sharing::Private;
  }
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    if (variable->isConstant()) return Sharing::Private;
  }
  if (pool_.is_constant(address)) {
    const Object* known = world_.objects.find(object_of(pool_.value(address)));
    if (known != nullptr && !known->writable) return Sharing::Private;
  }
  return path.stack.atomic > 0 ? Sharing::Section : Sharing::Plain;
}

Term Machine::load(Path& path, Term address, unsigned width, Sharing sharing, FailureId invalid_access) {
  if (pool_.is_constant(address)) {
    const Address at = pool_.value(address);
    const Object* object = world_.objects.find(object_of(at));
    const bool inside = object != nullptr && std::uint64_t{offset_of(at)} + width / 8 <= object->size;
    if (inside && (alone_ || !object->writable)) return world_.objects.get(at, width);
    if (inside && !object->mortal) invalid_access = kUnchecked;
  }
  if (alone_) throw NotAlone{};
  const Term temporary = pool_.variable("seen", width);
  path.actions.push_back(Load{temporary, address, width, sharing, invalid_access});
  return temporary;
}

void Machine::store(Path& path, Term address, Term value_to_store, Sharing sharing, FailureId invalid_access) {
  if (pool_.is_constant(address)) {
    const Address at = pool_.value(address);
    const Object* object = world_.objects.find(object_of(at));
    const bool inside =
        object != nullptr && std::uint64_t{offset_of(at)} + pool_.width(value_to_store) / 8 <= object->size;
    const bool alive =
        inside && (!object->mortal || shadow_of(at) != 0 ||
                   world_.objects.byte(address_of(object_of(at), 0, kAliveShadow)) == pool_.constant(1, 8));
    if (alone_ && alive && object->writable) return world_.objects.set(at, value_to_store);
    if (inside && object->writable && !object->mortal) invalid_access = kUnchecked;
  }
  if (alone_) throw NotAlone{};
  path.actions.push_back(Store{address, value_to_store, sharing, invalid_access});
}

void Machine::assume(Path& path, Term condition) {
  if (pool_.is_true(condition)) return;
  if (alone_) throw NotAlone{};
  path.actions.push_back(Assume{condition});
}

void Machine::check(Path& path, Term condition, FindingKind kind, const std::string& message,
                    const llvm::Instruction& at) {
  if (pool_.is_true(condition)) return;
  if (alone_) throw NotAlone{};
  path.actions.push_back(Check{condition, world_.fail(kind, message, &at)});
}

void Machine::event(Path& path, Term outcome) {
  if (alone_) {
    ++world_.prefix_events;
  } else {
    path.actions.push_back(ScheduledEvent{outcome});
  }
}

Term Machine::choose(Path& path, unsigned width, const std::string& input) {
  if (alone_) throw NotAlone{};
  const Term chosen = pool_.variable("chosen", width);
  path.actions.push_back(Choose{chosen, input});
  return chosen;
}

Term Machine::control_of(Term handle, Control field) {
  // Handles count from 1, so that 0 is no thread.
  const Term offset = pool_.apply(Op::Mul, handle, pool_.constant(kControlSize, 64));
  return pool_.apply(Op::Add, offset, pool_.constant(world_.control({0}, field) - kControlSize, 64));
}

// ---- instructions
// ----------------------------------------------------------------------------------------------------

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
  const Term b = value(path, i.getOperand(1));
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
  if (op == Op::UDiv || op == Op::SDiv || op == Op::URem || op == Op::SRem) {
    check(path, pool_.differ(b, pool_.constant(0, pool_.width(b))), FindingKind::Crash, "division by zero", i);
  }
  set(path, i, {pool_.apply(op, a, b)});
  return Next::Advance;
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

Machine::Next Machine::branch(Path& path, const llvm::BranchInst& i) {
  if (i.isUnconditional()) {
    jump(path, *i.getParent(), *i.getSuccessor(0));
    return Next::Jumped;
  }
  const Term condition = value(path, i.getCondition());
  if (pool_.is_constant(condition)) {
    jump(path, *i.getParent(), *i.getSuccessor(pool_.is_true(condition) ? 0 : 1));
    return Next::Jumped;
  }
  // A local loop that depends on unknown values is cut: each round is a step.
  if (path.instructions > 2000 && !alone_ && path.stack.atomic == 0) return Next::Stop;
  for (const unsigned way : {0U, 1U}) {
    fork(path, way == 0 ? condition : pool_.negate(condition),
         [&](Path& p) { jump(p, *i.getParent(), *i.getSuccessor(way)); });
  }
  return Next::Ended;
}

Machine::Next Machine::choose_case(Path& path, const llvm::SwitchInst& i) {
  const Term selector = value(path, i.getCondition());
  if (pool_.is_constant(selector)) {
    const llvm::BasicBlock* target = i.getDefaultDest();
    for (const auto& one : i.cases()) {
      if (one.getCaseValue()->getZExtValue() == pool_.value(selector)) target = one.getCaseSuccessor();
    }
    jump(path, *i.getParent(), *target);
    return Next::Jumped;
  }
  Term none = pool_.truth(true);
  for (const auto& one : i.cases()) {
    const Term here = pool_.equal(selector, pool_.constant(one.getCaseValue()->getZExtValue(), pool_.width(selector)));
    fork(path, here, [&](Path& p) { jump(p, *i.getParent(), *one.getCaseSuccessor()); });
    none = pool_.conj(none, pool_.negate(here));
  }
  fork(path, none, [&](Path& p) { jump(p, *i.getParent(), *i.getDefaultDest()); });
  return Next::Ended;
}

Machine::Next Machine::give_back(Path& path, const llvm::ReturnInst* instruction, Scalars result) {
  if (path.stack.frames.size() > 1) {
    path.stack.frames.pop_back();
    const llvm::Instruction& at = *top(path).next;
    if (top(path).phase > 0) return Next::Jumped;  // a function that an operation of the library has called
    if (!at.getType()->isVoidTy()) set(path, at, std::move(result));
    return Next::Advance;
  }
  const Term returned = result.empty() ? pool_.constant(0, 64) : result[0];
  if (thread_.value != 0) {
    finish_thread(std::move(path), pool_.resize(returned, 64, true));
    return Next::Ended;
  }
  check(path, pool_.equal(returned, pool_.constant(0, pool_.width(returned))), FindingKind::AbnormalExit,
        "main returns another status than 0", *instruction);
  finish(std::move(path), LocationKind::Returned);
  return Next::Ended;
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

// ---- calls
// -----------------------------------------------------------------------------------------------------------

Machine::Next Machine::call(Path& path, const llvm::CallBase& i) {
  if (i.isInlineAsm()) throw Refused("assembly code");
  if (const llvm::Function* callee = i.getCalledFunction()) return call_function(path, i, *callee);
  const Term target = value(path, i.getCalledOperand());
  if (pool_.is_constant(target)) {
    const llvm::Function* callee = world_.objects.function_at(pool_.value(target));
    if (callee != nullptr) return call_function(path, i, *callee);
    fail(path, world_.fail(FindingKind::Crash, "a call through a pointer that is no function's", &i));
    return Next::Ended;
  }
  // A pointer from memory: one of the functions whose address is known and whose type fits, or none.
  const std::map<Address, const llvm::Function*> functions = world_.objects.functions();
  Term none = pool_.truth(true);
  for (const auto& [address, function] : functions) {
    if (function->getFunctionType() != i.getFunctionType()) continue;
    const Term here = pool_.equal(target, pool_.constant(address, kAddressBits));
    none = pool_.conj(none, pool_.negate(here));
    fork(path, here, [&, f = function](Path& p) {
      const Next next = call_function(p, i, *f);
      if (next != Next::Jumped) throw Refused("a library function called through a pointer");
    });
  }
  fail_where(path, none, world_.fail(FindingKind::Crash, "a call through a pointer that is no function's", &i));
  return Next::Ended;
}

Machine::Next Machine::call_function(Path& path, const llvm::CallBase& i, const llvm::Function& function) {
  if (function.isIntrinsic()) return intrinsic(path, i, function.getIntrinsicID());
  const std::string_view name(function.getName());
  if (handlers().contains(name) || is_harmless(name)) return library(path, i, name);
  if (function.isDeclaration()) throw Refused("the function `" + std::string(name) + "` is not modelled");
  if (function.isVarArg()) throw Refused("a function with a variable number of arguments");
  if (path.stack.frames.size() >= kMostFrames) throw Refused("recursion deeper than 100 calls");
  std::vector<Scalars> arguments;
  for (const llvm::Use& argument : i.args()) arguments.push_back(scalars(path, argument.get()));
  path.stack.frames.push_back(stack_of(function, arguments, world_).frames.front());
  return Next::Jumped;
}

Machine::Next Machine::intrinsic(Path& path, const llvm::CallBase& i, llvm::Intrinsic::ID id) {
  const auto operand = [&](unsigned n) { return value(path, i.getArgOperand(n)); };
  const auto pick = [&](Op op, bool first_if_less) {
    const Term a = operand(0);
    const Term b = operand(1);
    const Term less = pool_.apply(op, a, b);
    set(path, i, {first_if_less ? pool_.ite(less, a, b) : pool_.ite(less, b, a)});
    return Next::Advance;
  };
  switch (id) {
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::var_annotation: return Next::Advance;
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memmove: return copy(path, i, false);
    case llvm::Intrinsic::memset: return copy(path, i, true);
    case llvm::Intrinsic::expect: set(path, i, {operand(0)}); return Next::Advance;
    case llvm::Intrinsic::smax: return pick(Op::SLess, false);
    case llvm::Intrinsic::smin: return pick(Op::SLess, true);
    case llvm::Intrinsic::umax: return pick(Op::ULess, false);
    case llvm::Intrinsic::umin: return pick(Op::ULess, true);
    case llvm::Intrinsic::threadlocal_address: set(path, i, {operand(0)}); return Next::Advance;
    case llvm::Intrinsic::is_constant: set(path, i, {pool_.truth(false)}); return Next::Advance;
    case llvm::Intrinsic::objectsize: set(path, i, ~std::uint64_t{0}); return Next::Advance;
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::ubsantrap:
      if (alone_) throw NotAlone{};
      fail(path, world_.fail(FindingKind::Crash, "the program executes a trap", &i));
      return Next::Ended;
    case llvm::Intrinsic::abs: {
      const Term a = operand(0);
      const Term zero = pool_.constant(0, pool_.width(a));
      set(path, i, {pool_.ite(pool_.apply(Op::SLess, a, zero), pool_.apply(Op::Sub, zero, a), a)});
      return Next::Advance;
    }
    default: throw Refused("the intrinsic `" + llvm::Intrinsic::getBaseName(id).str() + "` is not modelled");
  }
}

// memcpy, memmove and memset of a known length, word by word.
Machine::Next Machine::copy(Path& path, const llvm::CallBase& i, bool fill) {
  const Term length = pool_.resize(value(path, i.getArgOperand(2)), 64, false);
  if (!pool_.is_constant(length)) throw Refused("a copy of a number of bytes that is not constant");
  const std::uint64_t size = pool_.value(length);
  if (size > kMostCopied) throw Refused("a copy of more than 64 KiB");
  const Term to = value(path, i.getArgOperand(0));
  const Term from = value(path, i.getArgOperand(1));
  const Sharing to_sharing = sharing_of(path, i.getArgOperand(0), to);
  const Sharing from_sharing = fill ? Sharing::Private : sharing_of(path, i.getArgOperand(1), from);
  const bool noticed = to_sharing != Sharing::Private || from_sharing != Sharing::Private;
  if (size > 0 && noticed && !gate(path, i, true)) return Next::Stop;
  const FailureId failure = invalid(i);
  std::vector<Term> words;
  for (std::uint64_t at = 0; at < size; at += 8) {
    const auto width = static_cast<unsigned>(8 * std::min<std::uint64_t>(8, size - at));
    if (fill) {
      Term word = from;
      for (unsigned bits = 8; bits < width; bits += 8) word = pool_.concat(from, word);
      words.push_back(word);
    } else {
      words.push_back(load(path, pool_.add(from, at), width, from_sharing, failure));
    }
  }
  for (std::uint64_t at = 0; at < size; at += 8) {
    store(path, pool_.add(to, at), words[at / 8], to_sharing, failure);
  }
  return Next::Advance;
}

}  // namespace heddle::symbolic
