// The heap, and errno.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

Machine::Next Machine::allocate(Path& path, const llvm::CallBase& c) {
  Term size = value(path, c.getArgOperand(0));
  if (c.getCalledFunction()->getName() == "calloc") size = pool_.apply(Op::Mul, size, value(path, c.getArgOperand(1)));
  if (!pool_.is_constant(size)) throw Refused("an allocation whose size is not constant");
  set(path, c, {pool_.constant(new_block(path, pool_.value(size)), kAddressBits)});
  return Next::Advance;
}

Address Machine::new_block(Path& path, std::uint64_t size) {
  const Address block = world_.block(thread_, path.stack.blocks++, std::max<std::uint64_t>(size, 1));
  const Term flag = pool_.constant(address_of(object_of(block), 0, kAliveShadow), kAddressBits);
  store(path, flag, pool_.constant(1, 8), Sharing::Private, kUnchecked);
  return block;
}

// Freeing is a write to the whole block: whoever uses it at the same time has a race with it.
Machine::Next Machine::release(Path& path, const llvm::CallBase& c) {
  const Term block = value(path, c.getArgOperand(0));
  const Term null = pool_.equal(block, pool_.constant(0, kAddressBits));
  if (pool_.is_true(null)) return done(path, c);
  if (!gate(path, c, true)) return Next::Stop;
  const Term flag = shadow(block, Shadow::Alive);
  const FailureId failure =
      world_.fail(FindingKind::DoubleFree, "memory is freed that is not a living block of the heap", &c);
  if (pool_.is_false(null)) {
    if (alone_ && load(path, flag, 8, Sharing::Plain, failure) != pool_.constant(1, 8)) throw NotAlone{};
    store(path, flag, pool_.constant(2, 8), Sharing::Plain, failure);
    return done(path, c);
  }
  fork(path, null, [&](Path& p) { advance(p); });
  fork(path, pool_.negate(null), [&](Path& p) {
    store(p, flag, pool_.constant(2, 8), Sharing::Plain, failure);
    advance(p);
  });
  return Next::Ended;
}

Machine::Next Machine::errno_location(Path& path, const llvm::CallBase& c) {
  set(path, c, {pool_.constant(world_.local(thread_, 0, *c.getCalledFunction(), 4), kAddressBits)});
  return Next::Advance;
}

void Machine::set_errno(Path& path, int number) {
  const llvm::Function* function = world_.ir.getFunction("__errno_location");
  if (function == nullptr) return;
  const Address place = world_.local(thread_, 0, *function, 4);
  store(path, pool_.constant(place, kAddressBits), pool_.constant(static_cast<std::uint64_t>(number), 32),
        Sharing::Private, kUnchecked);
}

}  // namespace heddle::symbolic
