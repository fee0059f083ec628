// Calls: of functions that are inlined, of the library, of intrinsics.
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>

#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {
namespace {

constexpr std::size_t kMostFrames = 100;
constexpr std::uint64_t kMostCopied = 1U << 16U;

// Bits of the word at this byte of so many.
unsigned width_at(std::uint64_t at, std::uint64_t size) {
  return static_cast<unsigned>(8 * std::min<std::uint64_t>(8, size - at));
}

}  // namespace

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
  // A pointer from memory: one of the functions whose address is known, or none.
  const std::map<Address, const llvm::Function*> functions = world_.objects.functions();
  Term none = pool_.truth(true);
  Term other_type = pool_.truth(false);
  for (const auto& [address, function] : functions) {
    const Term here = pool_.equal(target, pool_.constant(address, kAddressBits));
    none = pool_.conj(none, pool_.negate(here));
    if (function->getFunctionType() != i.getFunctionType()) {
      other_type = pool_.disj(other_type, here);
      continue;
    }
    if (function->isDeclaration() && function->getName() == "free") {
      free_where(path, i, here);
      continue;
    }
    // Another function of a library: not called as long as no execution calls it.
    if (function->isDeclaration()) {
      const std::string message =
          "the function `" + llvm::demangle(std::string_view(function->getName())) + "` called through a pointer";
      fail_where(path, here, world_.fail(FindingKind::Crash, message, &i, true));
      continue;
    }
    fork(path, here, [&, f = function](Path& p) {
      const Next next = call_function(p, i, *f);
      if (next != Next::Jumped) throw Refused("a library function called through a pointer");
    });
  }
  const char* const another = "a function called through a pointer to functions of another type";
  fail_where(path, other_type, world_.fail(FindingKind::Crash, another, &i, true));
  fail_where(path, none, world_.fail(FindingKind::Crash, "a call through a pointer that is no function's", &i));
  return Next::Ended;
}

void Machine::free_where(const Path& path, const llvm::CallBase& i, Term condition) {
  if (pool_.is_false(condition)) return;
  if (alone_) throw NotAlone{};
  Path other = path;
  other.actions.push_back(Assume{condition});
  const Next next = release(other, i);
  if (next == Next::Stop) return stop(std::move(other));
  if (next == Next::Ended) return;
  advance(other);
  follow(std::move(other));
}

Machine::Next Machine::call_function(Path& path, const llvm::CallBase& i, const llvm::Function& function) {
  if (function.isIntrinsic()) return intrinsic(path, i, function.getIntrinsicID());
  const std::string_view name(function.getName());
  if (handlers().contains(name) || is_harmless(name)) return library(path, i, name);
  if (function.isDeclaration()) throw Refused("the function `" + llvm::demangle(name) + "` is not modelled");
  if (function.isVarArg()) throw Refused("a function with a variable number of arguments");
  if (path.stack.frames.size() >= kMostFrames) throw Refused("recursion deeper than 100 calls");
  std::vector<Scalars> arguments;
  for (const llvm::Use& argument : i.args()) arguments.push_back(scalars(path, argument.get()));
  if (!copy_passed(path, i, function, arguments)) return Next::Stop;
  path.stack.frames.push_back(stack_of(function, arguments, world_).frames.front());
  return Next::Jumped;
}

// Structures that are passed by value: what the call has is an address, of which the function gets a copy. False if
// others may notice that it is read, so that this begins another transition.
bool Machine::copy_passed(Path& path, const llvm::CallBase& i, const llvm::Function& function,
                          std::vector<Scalars>& arguments) {
  struct Passed {
    unsigned number = 0;
    std::uint64_t size = 0;
    Sharing sharing = Sharing::Private;
  };
  std::vector<Passed> all;
  bool noticed = false;
  for (unsigned n = 0; n < arguments.size(); ++n) {
    if (!i.isByValArgument(n)) continue;
    const Sharing sharing = sharing_of(path, i.getArgOperand(n), arguments[n].at(0));
    all.push_back({n, world_.layout.getTypeAllocSize(i.getParamByValType(n)), sharing});
    if (all.back().size > kMostCopied) throw Refused("an argument of more than 64 KiB");
    noticed = noticed || sharing != Sharing::Private;
  }
  if (noticed && !gate(path, i, true)) return false;
  world_.passes_structures = world_.passes_structures || noticed;
  for (const auto& [number, size, sharing] : all) {
    const Address copied = world_.local(thread_, path.stack.frames.size() + 1, *function.getArg(number), size);
    const Term to = pool_.constant(copied, kAddressBits);
    copy_words(path, {to, Sharing::Private}, {arguments[number].at(0), sharing}, size, invalid(i));
    arguments[number] = {to};
  }
  return true;
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
    case llvm::Intrinsic::x86_sse2_pause:
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
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::usub_with_overflow:
    case llvm::Intrinsic::umul_with_overflow:
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::smul_with_overflow:
      set(path, i, with_overflow(llvm::cast<llvm::WithOverflowInst>(i), operand(0), operand(1)));
      return Next::Advance;
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
    case llvm::Intrinsic::stacksave: throw Refused("a local array whose size is not constant");  // comes before it
    default: throw Refused("the intrinsic `" + llvm::Intrinsic::getBaseName(id).str() + "` is not modelled");
  }
}

// The result, and whether it is another one than without bounds.
Scalars Machine::with_overflow(const llvm::WithOverflowInst& i, Term a, Term b) {
  const unsigned width = pool_.width(a);
  const Op op = i.getBinaryOp() == llvm::Instruction::Add   ? Op::Add
                : i.getBinaryOp() == llvm::Instruction::Sub ? Op::Sub
                                                            : Op::Mul;
  const Term result = pool_.apply(op, a, b);
  if (width <= 32) {
    const auto wide = [&](Term term) { return pool_.extend(term, 64, i.isSigned()); };
    return {result, pool_.differ(wide(result), pool_.apply(op, wide(a), wide(b)))};
  }
  if (!i.isSigned() && op == Op::Add) return {result, pool_.apply(Op::ULess, result, a)};
  if (!i.isSigned() && op == Op::Sub) return {result, pool_.apply(Op::ULess, a, b)};
  if (!i.isSigned() && pool_.is_constant(b)) {
    if (pool_.value(b) == 0) return {result, pool_.truth(false)};
    const Term most = pool_.constant(mask_of(width) / pool_.value(b), width);
    return {result, pool_.apply(Op::ULess, most, a)};
  }
  throw Refused("arithmetic with 64 bits whose overflow is asked for");
}

// memcpy, memmove and memset of a known length, word by word.
Machine::Next Machine::copy(Path& path, const llvm::CallBase& i, bool fill) {
  const Term length = pool_.resize(value(path, i.getArgOperand(2)), 64, false);
  if (!pool_.is_constant(length)) throw Refused("a copy of a number of bytes that is not constant");
  const std::uint64_t size = pool_.value(length);
  if (size > kMostCopied) throw Refused("a copy of more than 64 KiB");
  if (size > 0 && !copy_gate(path, i, fill)) return Next::Stop;
  copy_known(path, i, fill, size);
  return Next::Advance;
}

bool Machine::copy_gate(Path& path, const llvm::CallBase& i, bool fill) {
  const auto shared = [&](unsigned n) {
    return sharing_of(path, i.getArgOperand(n), value(path, i.getArgOperand(n))) != Sharing::Private;
  };
  return (!shared(0) && (fill || !shared(1))) || gate(path, i, true);
}

void Machine::copy_known(Path& path, const llvm::CallBase& i, bool fill, std::uint64_t size) {
  const Term to = value(path, i.getArgOperand(0));
  const Term from = value(path, i.getArgOperand(1));
  const Sharing to_sharing = sharing_of(path, i.getArgOperand(0), to);
  const Sharing from_sharing = fill ? Sharing::Private : sharing_of(path, i.getArgOperand(1), from);
  const FailureId failure = invalid(i);
  if (!fill) return copy_words(path, {to, to_sharing}, {from, from_sharing}, size, failure);
  for (std::uint64_t at = 0; at < size; at += 8) {
    Term word = from;
    for (unsigned bits = 8; bits < width_at(at, size); bits += 8) word = pool_.concat(from, word);
    store(path, pool_.add(to, at), word, to_sharing, failure);
  }
}

// All is read before anything is written: the places may overlap.
void Machine::copy_words(Path& path, Region to, Region from, std::uint64_t size, FailureId failure) {
  std::vector<Term> words;
  for (std::uint64_t at = 0; at < size; at += 8) {
    words.push_back(load(path, pool_.add(from.address, at), width_at(at, size), from.sharing, failure));
  }
  for (std::uint64_t at = 0; at < size; at += 8) {
    store(path, pool_.add(to.address, at), words[at / 8], to.sharing, failure);
  }
}

}  // namespace heddle::symbolic
