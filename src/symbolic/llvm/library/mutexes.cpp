// Mutexes of the three kinds, and spin locks.
#include "symbolic/llvm/library/conventions.hpp"
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

Machine::Next Machine::mutex_init(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term mutex = value(path, c.getArgOperand(0));
  const FailureId failure = invalid(c);
  Term kind = pool_.constant(0, 32);
  if (is_c11(c)) {
    const Term type = value(path, c.getArgOperand(1));
    kind = pool_.ite(pool_.equal(pool_.apply(Op::And, type, pool_.constant(1, 32)), pool_.constant(1, 32)),
                     pool_.constant(1, 32), kind);
  } else {
    const Term attributes = value(path, c.getArgOperand(1));
    if (!pool_.is_constant(attributes) || pool_.value(attributes) != 0) {
      kind = load(path, attributes, 32, Sharing::Private, failure);
    }
  }
  store(path, shadow(mutex, Shadow::Owner), pool_.constant(0, 8), Sharing::Plain, failure);
  store(path, pool_.add(mutex, kKindOffset), kind, Sharing::Plain, failure);
  return done(path, c);
}

Machine::Next Machine::attribute_type(Path& path, const llvm::CallBase& c) {
  store(path, value(path, c.getArgOperand(0)), value(path, c.getArgOperand(1)), Sharing::Private, invalid(c));
  return done(path, c);
}

Machine::Next Machine::mutex_destroy(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term mutex = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(mutex, Shadow::Owner), 8, Sharing::Plain, invalid(c));
  check(path, pool_.equal(owner, pool_.constant(0, 8)), FindingKind::LockMisuse, "a locked mutex is destroyed", c);
  if (!is_spin(c)) {
    store(path, pool_.add(mutex, kKindOffset), pool_.constant(kDestroyedKind, 32), Sharing::Plain, invalid(c));
  }
  return done(path, c);
}

// The kind of a mutex: 0 plain, 1 recursive, 2 error-checking. It is read from the mutex itself: a static initialiser
// sets it, too, and so does a copy of one.
Term Machine::mutex_kind(Path& path, const llvm::CallBase& c, Term mutex) {
  const Term plain = pool_.constant(0, 32);
  if (is_spin(c)) return plain;
  const Term kind = load(path, pool_.add(mutex, kKindOffset), 32, Sharing::Atomic, invalid(c));
  check(path, pool_.differ(kind, pool_.constant(kDestroyedKind, 32)), FindingKind::LockMisuse,
        "use of a mutex that has been destroyed", c);
  const Term type = pool_.apply(Op::And, kind, pool_.constant(3, 32));
  return pool_.ite(pool_.equal(type, pool_.constant(kAdaptiveKind, 32)), plain, type);
}

// What a thread does with a mutex that it holds already concerns nobody else: the native engine has no event for it.
Machine::Next Machine::mutex_lock(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term mutex = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(mutex, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  const Term mine = pool_.equal(owner, self());
  const Term kind = mutex_kind(path, c, mutex);
  relock(path, c, mutex, pool_.conj(mine, pool_.equal(kind, pool_.constant(1, 32))));
  answer(path, c, pool_.conj(mine, pool_.equal(kind, pool_.constant(2, 32))), kDeadlock);
  check(path, pool_.disj(pool_.negate(mine), pool_.differ(kind, pool_.constant(0, 32))), FindingKind::LockMisuse,
        "the thread locks a mutex that it holds already", c);
  time_out(path, c, pool_.conj(pool_.differ(owner, pool_.constant(0, 8)), pool_.negate(mine)));
  assume(path, pool_.equal(owner, pool_.constant(0, 8)));
  event(path);
  store(path, shadow(mutex, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

// Under this condition the call counts one level more.
void Machine::relock(Path& path, const llvm::CallBase& c, Term mutex, Term condition) {
  fork(path, condition, [&](Path& p) {
    const Term depth = load(p, shadow(mutex, Shadow::Depth), 8, Sharing::Atomic, kUnchecked);
    store(p, shadow(mutex, Shadow::Depth), pool_.add(depth, 1), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
}

// Under this condition the call does this and returns that.
void Machine::answer(Path& path, const llvm::CallBase& c, Term condition, std::uint64_t result,
                     const std::function<void(Path&)>& effect) {
  fork(path, condition, [&](Path& p) {
    effect(p);
    set(p, c, result);
    advance(p);
  });
}

Machine::Next Machine::mutex_trylock(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const std::uint64_t busy = is_c11(c) ? kThreadBusy : kBusy;
  const Term mutex = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(mutex, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  // A spin lock does not know whose it is.
  const Term mine = is_spin(c) ? pool_.constant(0, 1) : pool_.equal(owner, self());
  const Term recursive = pool_.equal(mutex_kind(path, c, mutex), pool_.constant(1, 32));
  relock(path, c, mutex, pool_.conj(mine, recursive));
  answer(path, c, pool_.conj(mine, pool_.negate(recursive)), busy);
  assume(path, pool_.negate(mine));
  event(path);
  const Term free = pool_.equal(owner, pool_.constant(0, 8));
  fork(path, free, [&](Path& p) {
    store(p, shadow(mutex, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
  answer(path, c, pool_.negate(free), busy);
  return Next::Ended;
}

Machine::Next Machine::mutex_unlock(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term mutex = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(mutex, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  const Term mine = pool_.equal(owner, self());
  const Term plain = pool_.equal(mutex_kind(path, c, mutex), pool_.constant(0, 32));
  answer(path, c, pool_.conj(pool_.negate(mine), pool_.negate(plain)), is_c11(c) ? kThreadError : kNotOwner);
  check(path, pool_.disj(mine, pool_.negate(plain)), FindingKind::LockMisuse,
        "the thread unlocks a mutex that it does not hold", c);
  if (!pool_.is_true(plain)) {
    assume(path, mine);
    const Term depth = load(path, shadow(mutex, Shadow::Depth), 8, Sharing::Atomic, kUnchecked);
    const Term inner = pool_.differ(depth, pool_.constant(0, 8));
    fork(path, inner, [&](Path& p) {
      store(p, shadow(mutex, Shadow::Depth), pool_.add(depth, ~std::uint64_t{0}), Sharing::Atomic, kUnchecked);
      set(p, c, 0);
      advance(p);
    });
    assume(path, pool_.negate(inner));
  }
  event(path);
  store(path, shadow(mutex, Shadow::Owner), pool_.constant(0, 8), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

Machine::Next Machine::spin_init(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  store(path, shadow(value(path, c.getArgOperand(0)), Shadow::Owner), pool_.constant(0, 8), Sharing::Plain, invalid(c));
  return done(path, c);
}

Machine::Next Machine::spin_lock(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  check(path, pool_.differ(owner, self()), FindingKind::LockMisuse,
        "the thread locks a spin lock that it holds already", c);
  assume(path, pool_.equal(owner, pool_.constant(0, 8)));
  event(path);
  store(path, shadow(lock, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

}  // namespace heddle::symbolic
