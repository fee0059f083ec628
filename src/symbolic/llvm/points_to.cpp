#include "symbolic/llvm/points_to.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::symbolic {

PointsTo::PointsTo(const llvm::Module& program) {
  add_object(nullptr);  // kUnknown
  in(kUnknown).set(kUnknown);
  kept_ = add_object(nullptr);
  arguments_ = add_object(nullptr);
  in(arguments_).set(arguments_);
  for (const llvm::Function& function : program) {
    constant_.set(object_of(&function));
    if (function.isVarArg() && !function.isDeclaration()) variadic_[&function] = add_object(nullptr);
  }
  for (const llvm::GlobalVariable& variable : program.globals()) {
    const Object object = object_of(&variable);
    if (variable.isConstant()) constant_.set(object);
  }
  for (const llvm::GlobalVariable& variable : program.globals()) {
    const Object object = object_of(&variable);
    if (variable.hasInitializer()) {
      collect(variable.getInitializer(), in(object));
    } else {
      in(object).set(kUnknown);
    }
  }
  if (const llvm::Function* main = program.getFunction("main")) {
    for (const llvm::Argument& argument : main->args()) sets_[&argument].set(arguments_);
  }
  do {
    changed_ = false;
    for (const llvm::Function& function : program) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) visit(instruction);
    }
    spread_escaped();
  } while (changed_);
  find_shared(program);
}

PointsTo::Object PointsTo::add_object(const llvm::Value* value) {
  values_.push_back(value);
  contents_.emplace_back();
  return static_cast<Object>(values_.size() - 1);
}

PointsTo::Object PointsTo::object_of(const llvm::Value* value) {
  const auto found = objects_.find(value);
  if (found != objects_.end()) return found->second;
  const Object object = add_object(value);
  objects_.emplace(value, object);
  return object;
}

void PointsTo::collect(const llvm::Constant* constant, Objects& into) const {
  if (const auto known = objects_.find(constant); known != objects_.end()) {
    into.set(known->second);
    return;
  }
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(constant)) return collect(alias->getAliasee(), into);
  if (llvm::isa<llvm::BlockAddress>(constant)) return;
  for (const llvm::Use& operand : constant->operands()) {
    if (const auto* part = llvm::dyn_cast<llvm::Constant>(operand)) collect(part, into);
  }
}

PointsTo::Objects PointsTo::of(const llvm::Value* pointer) const {
  Objects found;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(pointer)) {
    collect(constant, found);
  } else if (const auto set = sets_.find(pointer); set != sets_.end()) {
    found = set->second;
  }
  return found;
}

PointsTo::Objects PointsTo::load(const Objects& from) const {
  Objects found;
  for (const Object object : from) found |= contents_[object];
  return found;
}

void PointsTo::store(const Objects& to, const Objects& value) {
  for (const Object object : to) add(in(object), value);
}

void PointsTo::visit(const llvm::Instruction& instruction) {
  Objects& result = sets_[&instruction];
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    Objects self;
    self.set(object_of(local));
    return add(result, self);
  }
  if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return add(result, load(of(read->getPointerOperand())));
  }
  if (const auto* write = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return store(of(write->getPointerOperand()), of(write->getValueOperand()));
  }
  if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    add(result, load(of(change->getPointerOperand())));
    Objects value = of(change->getValOperand());
    value |= result;  // what an addition makes of the old value points where that pointed
    return store(of(change->getPointerOperand()), value);
  }
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    add(result, load(of(exchange->getPointerOperand())));
    return store(of(exchange->getPointerOperand()), of(exchange->getNewValOperand()));
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return visit_call(*call);
  if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    if (end->getReturnValue() != nullptr) add(returned_[end->getFunction()], of(end->getReturnValue()));
    return;
  }
  if (llvm::isa<llvm::LandingPadInst>(instruction) || llvm::isa<llvm::VAArgInst>(instruction)) {
    Objects anything;
    anything.set(kUnknown);
    return add(result, anything);
  }
  // Everything else computes its result from its operands.
  for (const llvm::Use& operand : instruction.operands()) {
    if (!llvm::isa<llvm::BasicBlock>(operand)) add(result, of(operand));
  }
}

void PointsTo::visit_call(const llvm::CallBase& call) {
  if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    if (!assembly->getAsmString().empty()) escape(call);
    return;
  }
  for (const llvm::Function* callee : functions(call.getCalledOperand())) bind(call, *callee);
  if (of(call.getCalledOperand()).test(kUnknown)) escape(call);
}

void PointsTo::bind(const llvm::CallBase& call, const llvm::Function& callee) {
  if (callee.isDeclaration()) return visit_library(call, callee);
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const Objects passed = of(call.getArgOperand(i));
    if (i < callee.arg_size()) {
      add(sets_[callee.getArg(i)], passed);
    } else if (callee.isVarArg()) {
      add(in(variadic_[&callee]), passed);
    }
  }
  add(sets_[&call], returned_[&callee]);
}

void PointsTo::visit_library(const llvm::CallBase& call, const llvm::Function& callee) {
  Objects& result = sets_[&call];
  const auto argument = [&](unsigned i) { return of(call.getArgOperand(i)); };
  if (callee.isIntrinsic()) {
    switch (callee.getIntrinsicID()) {
      case llvm::Intrinsic::memcpy:
      case llvm::Intrinsic::memmove: return store(argument(0), load(argument(1)));
      case llvm::Intrinsic::vacopy: return store(argument(0), load(argument(1)));
      case llvm::Intrinsic::vastart: {
        Objects list;
        list.set(variadic_[call.getFunction()]);
        return store(argument(0), list);
      }
      default:
        for (const llvm::Use& operand : call.args()) {
          if (!llvm::isa<llvm::MetadataAsValue>(operand)) add(result, of(operand));
        }
        return;
    }
  }
  const LibraryCall* known = find_library_call(callee.getName());
  if (known == nullptr) return escape(call);
  if (known->keeps_callee) keep_for_end(call);
  switch (known->effect) {
    case CallEffect::None: return;
    case CallEffect::Allocates:
    case CallEffect::Reallocates: {
      Objects block;
      block.set(object_of(&call));
      if (known->effect == CallEffect::Reallocates) store(block, load(argument(0)));
      return add(result, block);
    }
    case CallEffect::Copies: store(argument(0), load(argument(1))); return add(result, argument(0));
    case CallEffect::CreatesThread: return run_with(call, *known, argument(known->function + 1));
    case CallEffect::CallsOnce: return run_with(call, *known, {});
    case CallEffect::JoinsThread: return store(argument(1), started_with_);
    case CallEffect::KeepsForThread: return add(in(kept_), argument(1));
    case CallEffect::GetsKept: return add(result, in(kept_));
  }
}

// The library calls a function that it was passed.
void PointsTo::run_with(const llvm::CallBase& call, const LibraryCall& known, const Objects& argument) {
  for (const llvm::Function* function : functions(call.getArgOperand(known.function))) {
    if (function->arg_size() > 0 && !function->isDeclaration()) add(sets_[function->getArg(0)], argument);
    if (known.effect != CallEffect::CreatesThread) continue;
    add(started_with_, argument);
    add(started_with_, returned_[function]);
  }
}

void PointsTo::keep_for_end(const llvm::CallBase& call) {
  for (const llvm::Use& operand : call.args()) {
    for (const llvm::Function* function : functions(operand)) {
      if (function->isDeclaration()) continue;
      if (function->arg_size() > 0) add(sets_[function->getArg(0)], in(kept_));
      if (llvm::is_contained(called_at_end_, function)) continue;
      called_at_end_.push_back(function);
      changed_ = true;
    }
    if (of(operand).test(kUnknown)) escape(call);
  }
}

void PointsTo::escape(const llvm::CallBase& call) {
  for (const llvm::Use& operand : call.args()) add(in(kUnknown), of(operand));
  Objects anything;
  anything.set(kUnknown);
  add(sets_[&call], anything);
}

// Whoever may do anything may also do it to what it was passed, and to whatever that leads to.
void PointsTo::spread_escaped() {
  Objects known = in(kUnknown);
  for (const Object object : closure(in(kUnknown))) {
    add(in(object), known);
    add(in(kUnknown), in(object));
    if (const auto* function = llvm::dyn_cast_or_null<llvm::Function>(values_[object])) {
      if (function->isDeclaration()) continue;
      for (const llvm::Argument& argument : function->args()) add(sets_[&argument], known);
    }
  }
}

PointsTo::Objects PointsTo::closure(Objects from) const {
  std::vector<Object> work;
  for (const Object object : from) work.push_back(object);
  while (!work.empty()) {
    const Object object = work.back();
    work.pop_back();
    for (const Object next : contents_[object]) {
      if (from.test_and_set(next)) work.push_back(next);
    }
  }
  return from;
}

void PointsTo::find_shared(const llvm::Module& program) {
  Objects roots = started_with_;
  roots.set(kUnknown);
  roots.set(kept_);
  roots.set(arguments_);
  for (const llvm::GlobalVariable& variable : program.globals()) {
    if (!variable.isThreadLocal()) roots.set(object_of(&variable));
  }
  shared_ = closure(roots);
}

PointsTo::Functions PointsTo::functions(const llvm::Value* value) const {
  Functions found;
  for (const Object object : of(value)) {
    if (const auto* function = llvm::dyn_cast_or_null<llvm::Function>(values_[object])) found.push_back(function);
  }
  return found;
}

PointsTo::Functions PointsTo::escaped() const {
  Functions found;
  Objects reached;
  reached.set(kUnknown);
  for (const Object object : closure(reached)) {
    const auto* function = llvm::dyn_cast_or_null<llvm::Function>(values_[object]);
    if (function != nullptr && !function->isDeclaration()) found.push_back(function);
  }
  return found;
}

}  // namespace heddle::symbolic
