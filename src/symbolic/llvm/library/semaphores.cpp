// Semaphores and barriers.
#include "symbolic/llvm/library/conventions.hpp"
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {
namespace {

constexpr std::uint64_t kMostPermits = 0x7FFFFFFF;  // SEM_VALUE_MAX

}  // namespace

Machine::Next Machine::sem_init(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term count = value(path, c.getArgOperand(2));
  if (!pool_.is_constant(count)) throw Refused("the initial value of a semaphore is not constant");
  if (pool_.value(count) > kMostPermits) {
    set_errno(path, kInvalid);
    return done(path, c, ~std::uint64_t{0});
  }
  store(path, shadow(value(path, c.getArgOperand(0)), Shadow::Count), count, Sharing::Plain, invalid(c));
  return done(path, c);
}

Machine::Next Machine::sem_wait(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term place = shadow(value(path, c.getArgOperand(0)), Shadow::Count);
  const Term count = load(path, place, 32, Sharing::Atomic, invalid(c));
  time_out(path, c, pool_.equal(count, pool_.constant(0, 32)));
  assume(path, pool_.differ(count, pool_.constant(0, 32)));
  event(path);
  store(path, place, pool_.add(count, ~std::uint64_t{0}), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

Machine::Next Machine::sem_trywait(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term place = shadow(value(path, c.getArgOperand(0)), Shadow::Count);
  const Term count = load(path, place, 32, Sharing::Atomic, invalid(c));
  event(path);
  const Term empty = pool_.equal(count, pool_.constant(0, 32));
  answer(path, c, pool_.negate(empty), 0,
         [&](Path& p) { store(p, place, pool_.add(count, ~std::uint64_t{0}), Sharing::Atomic, kUnchecked); });
  fork(path, empty, [&](Path& p) {
    set_errno(p, kAgain);
    set(p, c, ~std::uint64_t{0});
    advance(p);
  });
  return Next::Ended;
}

Machine::Next Machine::sem_post(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term place = shadow(value(path, c.getArgOperand(0)), Shadow::Count);
  const Term count = load(path, place, 32, Sharing::Atomic, invalid(c));
  event(path);
  const Term full = pool_.equal(count, pool_.constant(kMostPermits, 32));
  answer(path, c, full, ~std::uint64_t{0}, [&](Path& p) { set_errno(p, kOverflow); });
  assume(path, pool_.negate(full));
  store(path, place, pool_.add(count, 1), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

Machine::Next Machine::sem_getvalue(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term count =
      load(path, shadow(value(path, c.getArgOperand(0)), Shadow::Count), 32, Sharing::Atomic, invalid(c));
  event(path);
  const Term place = value(path, c.getArgOperand(1));
  store(path, place, count, sharing_of(path, c.getArgOperand(1), place), invalid(c));
  return done(path, c);
}

Machine::Next Machine::barrier_init(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term barrier = value(path, c.getArgOperand(0));
  const Term parties = value(path, c.getArgOperand(2));
  const FailureId failure = invalid(c);
  const Term nobody = pool_.equal(parties, pool_.constant(0, 32));
  answer(path, c, nobody, static_cast<std::uint64_t>(kInvalid));
  assume(path, pool_.negate(nobody));
  store(path, shadow(barrier, Shadow::Parties), pool_.extract(parties, 0, 8), Sharing::Plain, failure);
  store(path, shadow(barrier, Shadow::Arrived), pool_.constant(0, 8), Sharing::Plain, failure);
  return done(path, c);
}

Machine::Next Machine::barrier_destroy(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term barrier = value(path, c.getArgOperand(0));
  const Term arrived = load(path, shadow(barrier, Shadow::Arrived), 8, Sharing::Plain, invalid(c));
  check(path, pool_.equal(arrived, pool_.constant(0, 8)), FindingKind::LockMisuse,
        "a barrier is destroyed while threads wait at it", c);
  store(path, shadow(barrier, Shadow::Parties), pool_.constant(0, 8), Sharing::Plain, invalid(c));
  return done(path, c);
}

Machine::Next Machine::barrier_wait(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term barrier = value(path, c.getArgOperand(0));
  const Term round = load(path, shadow(barrier, Shadow::Round), 8, Sharing::Atomic, invalid(c));
  if (top(path).phase == 0) {
    const Term before = load(path, shadow(barrier, Shadow::Arrived), 8, Sharing::Atomic, kUnchecked);
    const Term parties = load(path, shadow(barrier, Shadow::Parties), 8, Sharing::Atomic, kUnchecked);
    check(path, pool_.differ(parties, pool_.constant(0, 8)), FindingKind::LockMisuse,
          "use of a barrier that is not initialised", c);
    const Term arrived = pool_.add(before, 1);
    const Term last = pool_.equal(arrived, parties);
    event(path);
    store(path, shadow(barrier, Shadow::Arrived), pool_.ite(last, pool_.constant(0, 8), arrived), Sharing::Atomic,
          kUnchecked);
    store(path, shadow(barrier, Shadow::Round), pool_.ite(last, pool_.add(round, 1), round), Sharing::Atomic,
          kUnchecked);
    store(path, control(thread_, Control::Round), round, Sharing::Private, kUnchecked);
    store(path, control(thread_, Control::Serial), pool_.extend(last, 8, false), Sharing::Private, kUnchecked);
    top(path).phase = 1;
    return Next::Stop;
  }
  const Term mine = load(path, control(thread_, Control::Round), 8, Sharing::Private, kUnchecked);
  assume(path, pool_.differ(mine, round));
  event(path);
  const Term serial = load(path, control(thread_, Control::Serial), 8, Sharing::Private, kUnchecked);
  set(path, c,
      {pool_.ite(pool_.equal(serial, pool_.constant(0, 8)), pool_.constant(0, 32),
                 pool_.constant(~std::uint64_t{0}, 32))});
  return Next::Advance;
}

}  // namespace heddle::symbolic
