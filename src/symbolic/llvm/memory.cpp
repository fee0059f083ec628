// Registers, and what a path does to memory and to its schedule.
#include <llvm/Analysis/ValueTracking.h>

#include "base/contract.hpp"
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

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
  const auto* argument = llvm::dyn_cast<llvm::Argument>(object);
  const bool own = llvm::isa<llvm::AllocaInst>(object) || (argument != nullptr && argument->hasByValAttr());
  if (own && stays_local(*object)) return Sharing::Private;
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    if (variable->isConstant()) return Sharing::Private;
  }
  if (pool_.is_constant(address)) {
    const Object* known = world_.objects.find(object_of(pool_.value(address)));
    if (known != nullptr && !known->writable) return Sharing::Private;
  }
  return path.stack.atomic > 0 ? Sharing::Section : Sharing::Plain;
}

bool Machine::stays(const Object& object) const {
  return !object.mortal && (object.ended == 0 || object.ended == world_.control(thread_, Control::Finished));
}

Term Machine::load(Path& path, Term address, unsigned width, Sharing sharing, FailureId invalid_access) {
  if (pool_.is_constant(address)) {
    const Address at = pool_.value(address);
    const Object* object = world_.objects.find(object_of(at));
    const bool inside = object != nullptr && std::uint64_t{offset_of(at)} + width / 8 <= object->size;
    if (inside && object->foreign) throw Refused("the variable `" + object->name + "` of a library");
    if (inside && (alone_ || !object->writable)) return world_.objects.get(at, width);
    if (inside && stays(*object)) invalid_access = kUnchecked;
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
    if (inside && object->foreign) throw Refused("the variable `" + object->name + "` of a library");
    if (alone_ && alive && object->writable) return world_.objects.set(at, value_to_store);
    if (inside && object->writable && stays(*object)) invalid_access = kUnchecked;
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

}  // namespace heddle::symbolic
