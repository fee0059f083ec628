// Locks for readers and writers.
#include "symbolic/llvm/library/conventions.hpp"
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {
namespace {

// In the lock itself, as natively, where an initialiser takes it away: a static one is no call.
constexpr std::uint64_t kMarkOffset = 0;
constexpr std::uint64_t kDestroyed = 0xFFFFFFFF;

}  // namespace

Machine::Next Machine::rwlock_init(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const FailureId failure = invalid(c);
  store(path, shadow(lock, Shadow::Owner), pool_.constant(0, 8), Sharing::Plain, failure);
  store(path, shadow(lock, Shadow::Readers), pool_.constant(0, 8), Sharing::Plain, failure);
  store(path, pool_.add(lock, kMarkOffset), pool_.constant(0, 32), Sharing::Plain, failure);
  return done(path, c);
}

Machine::Next Machine::rwlock_destroy(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Plain, invalid(c));
  const Term readers = load(path, shadow(lock, Shadow::Readers), 8, Sharing::Plain, kUnchecked);
  const Term free = pool_.conj(pool_.equal(owner, pool_.constant(0, 8)), pool_.equal(readers, pool_.constant(0, 8)));
  check_not_destroyed(path, c, lock, Sharing::Plain);
  check(path, free, FindingKind::LockMisuse, "a rwlock is destroyed while it is locked", c);
  store(path, pool_.add(lock, kMarkOffset), pool_.constant(kDestroyed, 32), Sharing::Plain, invalid(c));
  return done(path, c);
}

void Machine::check_not_destroyed(Path& path, const llvm::CallBase& c, Term lock, Sharing sharing) {
  const Term mark = load(path, pool_.add(lock, kMarkOffset), 32, sharing, invalid(c));
  check(path, pool_.differ(mark, pool_.constant(kDestroyed, 32)), FindingKind::LockMisuse,
        "use of a rwlock that has been destroyed", c);
}

// How many readers a lock has that has not been destroyed.
Term Machine::readers_of(Path& path, const llvm::CallBase& c, Term lock) {
  check_not_destroyed(path, c, lock, Sharing::Atomic);
  return load(path, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, invalid(c));
}

// A lock has one reader more or less, and so many read locks this thread.
void Machine::add_readers(Path& path, Term lock, std::uint64_t count) {
  const Term readers = load(path, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, kUnchecked);
  store(path, shadow(lock, Shadow::Readers), pool_.add(readers, count), Sharing::Atomic, kUnchecked);
  const Term place = control(thread_, Control::ReadLocks);
  const Term mine = load(path, place, 8, Sharing::Private, kUnchecked);
  store(path, place, pool_.add(mine, count), Sharing::Private, kUnchecked);
}

// To lock for writing twice is an error that is returned, and no event of the native engine's.
Machine::Next Machine::rwlock_rdlock(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  (void)readers_of(path, c, lock);
  answer(path, c, pool_.equal(owner, self()), kDeadlock);
  time_out(path, c, pool_.differ(owner, pool_.constant(0, 8)));
  assume(path, pool_.equal(owner, pool_.constant(0, 8)));
  event(path);
  add_readers(path, lock, 1);
  return done(path, c);
}

Machine::Next Machine::rwlock_wrlock(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  const Term readers = readers_of(path, c, lock);
  answer(path, c, pool_.equal(owner, self()), kDeadlock);
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
  const Term readers = readers_of(path, c, lock);
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
  (void)readers_of(path, c, lock);
  event(path);
  const Term free = pool_.equal(owner, pool_.constant(0, 8));
  answer(path, c, free, 0, [&](Path& p) { add_readers(p, lock, 1); });
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
    // Which ones a thread has is not kept, but how many.
    const Term mine = load(p, control(thread_, Control::ReadLocks), 8, Sharing::Private, kUnchecked);
    const Term some = pool_.conj(pool_.differ(readers_of(p, c, lock), pool_.constant(0, 8)),
                                 pool_.differ(mine, pool_.constant(0, 8)));
    check(p, some, FindingKind::LockMisuse, "the thread unlocks a rwlock that it does not hold", c);
    event(p);
    add_readers(p, lock, ~std::uint64_t{0});
  });
  return Next::Ended;
}

}  // namespace heddle::symbolic
