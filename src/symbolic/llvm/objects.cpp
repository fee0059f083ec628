#include "symbolic/llvm/objects.hpp"

#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/Operator.h>

namespace heddle::symbolic {
namespace {

void collect_parts(const llvm::DataLayout& layout, llvm::Type* type, std::uint64_t offset,
                   std::vector<ScalarPart>& parts) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* inside = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      collect_parts(layout, structure->getElementType(i), offset + inside->getElementOffset(i), parts);
    }
    return;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t step = layout.getTypeAllocSize(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      collect_parts(layout, array->getElementType(), offset + i * step, parts);
    }
    return;
  }
  if (type->isVoidTy()) return;
  if (type->isPointerTy()) return parts.push_back({offset, 64});
  if (type->isFloatTy()) return parts.push_back({offset, 32});
  if (type->isDoubleTy()) return parts.push_back({offset, 64});
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) {
    return parts.push_back({offset, type->getIntegerBitWidth()});
  }
  throw Refused("a value of a type that is not modelled (vector, long double or more than 64 bits)");
}

// Variables of libraries that may be used: the standard streams, which are only handed on, and what std::call_once
// keeps for each thread, which is 0 at first.
bool is_known(llvm::StringRef name) {
  return name == "stdin" || name == "stdout" || name == "stderr" || name == "_ZSt11__once_call" ||
         name == "_ZSt15__once_callable";
}

}  // namespace

std::vector<ScalarPart> parts_of(const llvm::DataLayout& layout, llvm::Type* type) {
  std::vector<ScalarPart> parts;
  collect_parts(layout, type, 0, parts);
  return parts;
}

std::uint32_t Objects::add(std::string name, std::uint64_t size, bool mortal, bool writable) {
  if (size > 0x7FFFFFFFU) throw Refused("an object of more than 2 GiB");
  objects_.push_back(
      {.name = std::move(name), .size = static_cast<std::uint32_t>(size), .mortal = mortal, .writable = writable});
  return static_cast<std::uint32_t>(objects_.size());
}

Address Objects::address_of_global(const llvm::GlobalValue& global, ThreadIndex thread) {
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&global)) {
    return address_of_global(*llvm::cast<llvm::GlobalValue>(alias->getAliasee()->stripPointerCasts()), thread);
  }
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
  const std::uint32_t owner = variable != nullptr && variable->isThreadLocal() ? thread.value + 1 : 0;
  const auto known = globals_.find({&global, owner});
  if (known != globals_.end()) return known->second;
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&global)) {
    // One byte that nobody may write: a function has an address, and different ones have different addresses.
    const Address address = address_of(add(function->getName().str(), 1, false, false));
    globals_[{&global, owner}] = address;
    functions_[address] = function;
    return address;
  }
  if (variable == nullptr) throw Refused("a global symbol that is neither a variable nor a function");
  const std::uint64_t size = layout_.getTypeAllocSize(variable->getValueType());
  const Address address = address_of(add(variable->getName().str(), size, false, !variable->isConstant()));
  objects_.back().foreign = !variable->hasInitializer() && !is_known(variable->getName());
  globals_[{&global, owner}] = address;
  if (variable->hasInitializer()) initialise(address, *variable->getInitializer(), thread);
  return address;
}

const llvm::Function* Objects::function_at(Address address) const {
  const auto at = functions_.find(address);
  return at != functions_.end() ? at->second : nullptr;
}

void Objects::initialise(Address address, const llvm::Constant& constant, ThreadIndex thread) {
  if (llvm::isa<llvm::UndefValue>(constant) || constant.isNullValue()) return;
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
    const std::uint64_t step = layout_.getTypeAllocSize(data->getElementType());
    for (unsigned i = 0; i < data->getNumElements(); ++i) {
      initialise(address + i * step, *data->getElementAsConstant(i), thread);
    }
    return;
  }
  if (const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(&constant)) {
    llvm::Type* type = aggregate->getType();
    for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
      const std::uint64_t offset =
          type->isStructTy() ? layout_.getStructLayout(llvm::cast<llvm::StructType>(type))->getElementOffset(i)
                             : i * layout_.getTypeAllocSize(type->getArrayElementType());
      initialise(address + offset, *aggregate->getOperand(i), thread);
    }
    return;
  }
  const Term value = this->constant(constant, thread).front();
  set(address, pool_.resize(value, stored_width(pool_.width(value)), false));
}

Term Objects::expression(const llvm::ConstantExpr& constant, ThreadIndex thread) {
  const auto operand = [&](unsigned i) { return this->constant(*constant.getOperand(i), thread).front(); };
  switch (constant.getOpcode()) {
    case llvm::Instruction::GetElementPtr: {
      llvm::APInt offset(64, 0);
      if (!llvm::cast<llvm::GEPOperator>(constant).accumulateConstantOffset(layout_, offset)) {
        throw Refused("an address that is not constant in an initialiser");
      }
      return pool_.add(operand(0), offset.getZExtValue());
    }
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::Trunc:
      return pool_.resize(operand(0), static_cast<unsigned>(layout_.getTypeSizeInBits(constant.getType())), false);
    case llvm::Instruction::Add: return pool_.apply(Op::Add, operand(0), operand(1));
    case llvm::Instruction::Sub: return pool_.apply(Op::Sub, operand(0), operand(1));
    default: throw Refused("a constant expression that is not modelled");
  }
}

Scalars Objects::constant(const llvm::Constant& constant, ThreadIndex thread) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (number->getBitWidth() > 64) throw Refused("an integer of more than 64 bits");
    return {pool_.constant(number->getZExtValue(), number->getBitWidth())};
  }
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant)) {
    const llvm::APInt bits = real->getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() > 64) throw Refused("a long double");
    return {pool_.constant(bits.getZExtValue(), bits.getBitWidth())};
  }
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(&constant)) {
    return {pool_.constant(address_of_global(*global, thread), kAddressBits)};
  }
  if (const auto* expression_node = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    return {expression(*expression_node, thread)};
  }
  if (llvm::isa<llvm::ConstantAggregate>(constant) || llvm::isa<llvm::ConstantDataSequential>(constant)) {
    Scalars all;
    for (unsigned i = 0; constant.getAggregateElement(i) != nullptr; ++i) {
      const Scalars part = this->constant(*constant.getAggregateElement(i), thread);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  // Null pointers, zeros, and values that are not defined: the native engine's programs see zeros, too.
  Scalars zeros;
  for (const ScalarPart& part : parts_of(layout_, constant.getType())) zeros.push_back(pool_.constant(0, part.width));
  return zeros;
}

Term Objects::byte(Address address) {
  const auto at = bytes_.find(address);
  return at != bytes_.end() ? at->second : pool_.constant(0, 8);
}

void Objects::set(Address address, Term value) {
  for (unsigned i = 0; i < pool_.width(value) / 8; ++i) bytes_[address + i] = pool_.extract(value, 8 * i, 8);
}

Term Objects::get(Address address, unsigned width) {
  Term value = byte(address);
  for (unsigned i = 1; i < width / 8; ++i) value = pool_.concat(byte(address + i), value);
  return value;
}

std::string Objects::string_at(Address address) {
  std::string text;
  const Object* object = find(object_of(address));
  for (Address at = address; object != nullptr && offset_of(at) < object->size; ++at) {
    const Term character = byte(at);
    if (!pool_.is_constant(character) || pool_.value(character) == 0) break;
    text += static_cast<char>(pool_.value(character));
  }
  return text;
}

}  // namespace heddle::symbolic
