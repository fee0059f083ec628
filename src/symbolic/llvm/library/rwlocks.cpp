// Locks for readers and writers.
#include "symbolic/llvm/library/conventions.hpp"
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

Machine::Next Machine::rwlock_init(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const FailureId failure = invalid(c);
  store(path, shadow(lock, Shadow::Owner), pool_.constant(0, 8), Sharing::Plain, failure);
  store(path, shadow(lock, Shadow::Readers), pool_.constant(0, 8), Sharing::Plain, failure);
  return done(path, c);
}

void Machine::add_reader(Path& path, Term lock) {
  const Term readers = load(path, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, kUnchecked);
  store(path, shadow(lock, Shadow::Readers), pool_.add(readers, 1), Sharing::Atomic, kUnchecked);
}

// To lock for writing twice is an error that is returned, and no event of the native engine's.
Machine::Next Machine::rwlock_rdlock(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  answer(path, c, pool_.equal(owner, self()), kDeadlock);
  time_out(path, c, pool_.differ(owner, pool_.constant(0, 8)));
  assume(path, pool_.equal(owner, pool_.constant(0, 8)));
  event(path);
  add_reader(path, lock);
  return done(path, c);
}

Machine::Next Machine::rwlock_wrlock(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  answer(path, c, pool_.equal(owner, self()), kDeadlock);
  const Term readers = load(path, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, kUnchecked);
  time_out(path, c, pool_.disj(pool_.differ(owner, pool_.constant(0, 8)), pool_.differ(readers, pool_.constant(0, 8))));
  assume(path, pool_.equal(owner, pool_.constant(0, 8)));
  assume(path, pool_.equal(readers, pool_.constant(0, 8)));
  event(path);
  store(path, shadow(lock, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

Machine::Next Machine::rwlock_trywrlock(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  const Term readers = load(path, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, kUnchecked);
  event(path);
  const Term free = pool_.conj(pool_.equal(owner, pool_.constant(0, 8)), pool_.equal(readers, pool_.constant(0, 8)));
  answer(path, c, free, 0,
         [&](Path& p) { store(p, shadow(lock, Shadow::Owner), self(), Sharing::Atomic, kUnchecked); });
  answer(path, c, pool_.negate(free), kBusy);
  return Next::Ended;
}

Machine::Next Machine::rwlock_tryrdlock(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  event(path);
  const Term free = pool_.equal(owner, pool_.constant(0, 8));
  answer(path, c, free, 0, [&](Path& p) { add_reader(p, lock); });
  answer(path, c, pool_.negate(free), kBusy);
  return Next::Ended;
}

Machine::Next Machine::rwlock_unlock(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  const Term writes = pool_.equal(owner, self());
  answer(path, c, writes, 0, [&](Path& p) {
    event(p);
    store(p, shadow(lock, Shadow::Owner), pool_.constant(0, 8), Sharing::Atomic, kUnchecked);
  });
  answer(path, c, pool_.negate(writes), 0, [&](Path& p) {
    const Term readers = load(p, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, kUnchecked);
    check(p, pool_.differ(readers, pool_.constant(0, 8)), FindingKind::LockMisuse,
          "the thread unlocks a rwlock that it does not hold", c);
    event(p);
    store(p, shadow(lock, Shadow::Readers), pool_.add(readers, ~std::uint64_t{0}), Sharing::Atomic, kUnchecked);
  });
  return Next::Ended;
}

}  // namespace heddle::symbolic
