// What is done once: pthread_once, std::call_once, and the initialisation of static local variables.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

// The functions that may be the one to be called, each with its condition. std::call_once hands over a function of
// libstdc++, which calls the one that the thread has put into a variable of its own.
std::vector<std::pair<Term, const llvm::Function*>> Machine::once_targets(Path& path, const llvm::CallBase& c) {
  const Term target = value(path, c.getArgOperand(1));
  const llvm::Function* function =
      pool_.is_constant(target) ? world_.objects.function_at(pool_.value(target)) : nullptr;
  if (function != nullptr && !function->isDeclaration()) return {{pool_.truth(true), function}};
  const llvm::GlobalVariable* handed = world_.ir.getGlobalVariable("_ZSt11__once_call");
  if (function == nullptr || function->getName() != "__once_proxy" || handed == nullptr) {
    throw Refused("a function to be called once that is not constant");
  }
  const Term place = pool_.constant(world_.objects.address_of_global(*handed, thread_), kAddressBits);
  const Term called = load(path, place, 64, Sharing::Private, kUnchecked);
  std::vector<std::pair<Term, const llvm::Function*>> targets;
  for (const auto& [address, known] : world_.objects.functions()) {
    if (known->isDeclaration() || known->arg_size() > 0) continue;
    targets.emplace_back(pool_.equal(called, pool_.constant(address, kAddressBits)), known);
  }
  return targets;
}

Machine::Next Machine::once(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term state_at = shadow(value(path, c.getArgOperand(0)), Shadow::Once);
  if (top(path).phase == 1) {
    event(path);
    store(path, state_at, pool_.constant(2, 8), Sharing::Atomic, kUnchecked);
    return done(path, c);
  }
  const Term state = load(path, state_at, 8, Sharing::Atomic, invalid(c));
  assume(path, pool_.differ(state, pool_.constant(1, 8)));
  event(path);
  const Term fresh = pool_.equal(state, pool_.constant(0, 8));
  Term none = fresh;
  for (const auto& [here, function] : once_targets(path, c)) {
    none = pool_.conj(none, pool_.negate(here));
    fork(path, pool_.conj(fresh, here), [&, called = function](Path& p) {
      store(p, state_at, pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
      top(p).phase = 1;
      p.stack.frames.push_back(stack_of(*called, {}, world_).frames.front());
    });
  }
  fail_where(path, none, world_.fail(FindingKind::Crash, "a call through a pointer that is no function's", &c));
  answer(path, c, pool_.negate(fresh), 0);
  return Next::Ended;
}

// Guards of static local variables: byte 0 says that the object exists, byte 1 that a thread is constructing it.
Machine::Next Machine::guard_acquire(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term guard = value(path, c.getArgOperand(0));
  const Term running = load(path, pool_.add(guard, 1), 8, Sharing::Atomic, invalid(c));
  assume(path, pool_.equal(running, pool_.constant(0, 8)));
  event(path);
  const Term exists = load(path, guard, 8, Sharing::Atomic, kUnchecked);
  const Term fresh = pool_.equal(exists, pool_.constant(0, 8));
  if (pool_.is_true(fresh)) {
    store(path, pool_.add(guard, 1), pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
    return done(path, c, 1);
  }
  answer(path, c, fresh, 1,
         [&](Path& p) { store(p, pool_.add(guard, 1), pool_.constant(1, 8), Sharing::Atomic, kUnchecked); });
  answer(path, c, pool_.negate(fresh), 0);
  return Next::Ended;
}

Machine::Next Machine::guard_release(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term guard = value(path, c.getArgOperand(0));
  event(path);
  store(path, pool_.add(guard, 1), pool_.constant(0, 8), Sharing::Atomic, invalid(c));
  store(path, guard, pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

}  // namespace heddle::symbolic
