// Condition variables: who waits at which one is kept per thread.
#include "symbolic/llvm/library/conventions.hpp"
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

Machine::Next Machine::cond_init(Path& path, const llvm::CallBase& c) {
  if (c.arg_size() > 1) {
    const Term attributes = value(path, c.getArgOperand(1));
    if (!pool_.is_constant(attributes) || pool_.value(attributes) != 0)
      throw Refused("attributes of a condition variable");
  }
  return done(path, c);
}

Machine::Next Machine::cond_destroy(Path& path, const llvm::CallBase& c) {
  if (alone_) return done(path, c);
  if (!gate(path, c, true)) return Next::Stop;
  const Term condition = value(path, c.getArgOperand(0));
  Term none = pool_.truth(true);
  for (std::uint32_t t = 0; t < kMostThreads; ++t) {
    none = pool_.conj(none, pool_.differ(waiting_at(path, t), condition));
  }
  check(path, none, FindingKind::LockMisuse, "a condition variable is destroyed while threads wait on it", c);
  return done(path, c);
}

// Two steps: give the mutex up and wait; when woken and the mutex is free, take it.
Machine::Next Machine::cond_wait(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term condition = value(path, c.getArgOperand(0));
  Term mutex = value(path, c.getArgOperand(1));
  // A std::unique_lock begins with the address of its mutex.
  const bool cxx = c.getCalledFunction()->getName().starts_with("_ZNSt18condition_variable");
  if (cxx) mutex = load(path, mutex, 64, Sharing::Private, invalid(c));
  const Term owner = load(path, shadow(mutex, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  if (top(path).phase == 0) {
    check(path, pool_.equal(owner, self()), FindingKind::LockMisuse,
          "the thread waits with a mutex that it does not hold", c);
    touch_condition(path, condition, c);
    if (is_timed(c)) check_deadline(path, c, deadline_of(path, c));
    event(path);
    store(path, shadow(mutex, Shadow::Owner), pool_.constant(0, 8), Sharing::Atomic, kUnchecked);
    store(path, control(thread_, Control::Waiting), condition, Sharing::Atomic, kUnchecked);
    top(path).phase = 1;
    return Next::Stop;
  }
  assume(path, pool_.equal(owner, pool_.constant(0, 8)));
  const Term waits = load(path, control(thread_, Control::Waiting), 64, Sharing::Atomic, kUnchecked);
  if (is_timed(c)) return wake_in_time(path, c, mutex, waits);
  const Term woken = world_.times_out() ? pool_.apply(Op::ULess, waits, pool_.constant(2, 64))
                                        : pool_.equal(waits, pool_.constant(0, 64));
  if (world_.spurious_wakeups > 0) wake_spuriously(path, c, mutex, pool_.negate(woken));
  assume(path, woken);
  event(path);
  store(path, shadow(mutex, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

// Woken, or its time is up. Of one that was woken by a signal which nobody else could have had, the time may have been
// up before: it then could not have the mutex back any sooner.
Machine::Next Machine::wake_in_time(Path& path, const llvm::CallBase& c, Term mutex, Term waits) {
  if (world_.spurious_wakeups > 0) throw Refused("spurious wake-ups of a wait that has a time limit");
  const Moment deadline = deadline_of(path, c);
  const Term late = pool_.equal(choose(path, 8, ""), pool_.constant(1, 8));
  const Term asleep = pool_.apply(Op::ULess, pool_.constant(1, 64), waits);
  const Term alone = pool_.equal(waits, pool_.constant(1, 64));
  path.actions.push_back(Restrict{pool_.ite(asleep, late, pool_.disj(pool_.negate(late), alone))});
  event(path, pool_.extend(late, 32, false));
  store(path, control(thread_, Control::Waiting), pool_.constant(0, 64), Sharing::Atomic, kUnchecked);
  store(path, shadow(mutex, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
  reach_deadline(path, c, deadline, late);
  set(path, c, {pool_.ite(late, pool_.constant(is_c11(c) ? kThreadTimedOut : kTimedOut, 32), pool_.constant(0, 32))});
  return Next::Advance;
}

// A thread that nobody has woken goes on all the same, as often as this is to be explored.
void Machine::wake_spuriously(Path& path, const llvm::CallBase& c, Term mutex, Term asleep) {
  const Term counter = pool_.constant(world_.spurious_used(), kAddressBits);
  const Term used = load(path, counter, 32, Sharing::Atomic, kUnchecked);
  const Term possible = pool_.apply(Op::ULess, used, pool_.constant(world_.spurious_wakeups, 32));
  fork(path, pool_.conj(asleep, possible), [&](Path& p) {
    event(p, pool_.constant(kSpuriousOutcome, 32));
    store(p, counter, pool_.add(used, 1), Sharing::Atomic, kUnchecked);
    store(p, control(thread_, Control::Waiting), pool_.constant(0, 64), Sharing::Atomic, kUnchecked);
    store(p, shadow(mutex, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
}

// What is known of a condition variable is kept with the threads; it must be there all the same.
void Machine::touch_condition(Path& path, Term condition, const llvm::CallBase& c) {
  (void)load(path, shadow(condition, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
}

Term Machine::waiting_at(Path& path, std::uint32_t thread) {
  return load(path, control({thread}, Control::Waiting), 64, Sharing::Atomic, kUnchecked);
}

// Wakes any of those that wait; which is a choice, counted over them in the order of their numbers.
Machine::Next Machine::cond_signal(Path& path, const llvm::CallBase& c) {
  if (alone_) return event(path), done(path, c);
  if (!gate(path, c, false)) return Next::Stop;
  const Term condition = value(path, c.getArgOperand(0));
  touch_condition(path, condition, c);
  std::vector<Term> waits;
  for (std::uint32_t t = 0; t < kMostThreads; ++t) waits.push_back(pool_.equal(waiting_at(path, t), condition));
  Term none = pool_.truth(true);
  for (const Term wait : waits) none = pool_.conj(none, pool_.negate(wait));
  fork(path, none, [&](Path& p) {
    event(p);
    set(p, c, 0);
    advance(p);
  });
  fork(path, pool_.negate(none), [&](Path& p) {
    const Term chosen = choose(p, 8, "");
    Term rank = pool_.constant(0, 32);
    Term fits = pool_.truth(false);
    Term outcome = rank;
    for (std::uint32_t t = 0; t < kMostThreads; ++t) {
      const Term here = pool_.equal(chosen, pool_.constant(t, 8));
      fits = pool_.disj(fits, pool_.conj(here, waits[t]));
      outcome = pool_.ite(here, rank, outcome);
      rank = pool_.ite(waits[t], pool_.add(rank, 1), rank);
    }
    p.actions.push_back(Restrict{fits});
    event(p, outcome);
    const Term handle = pool_.add(pool_.extend(chosen, 64, false), 1);
    const Term sole = pool_.conj(pool_.truth(world_.times_out()), pool_.equal(rank, pool_.constant(1, 32)));
    store(p, control_of(handle, Control::Waiting), pool_.extend(sole, 64, false), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
  return Next::Ended;
}

Machine::Next Machine::cond_broadcast(Path& path, const llvm::CallBase& c) {
  if (alone_) return event(path), done(path, c);
  if (!gate(path, c, false)) return Next::Stop;
  const Term condition = value(path, c.getArgOperand(0));
  touch_condition(path, condition, c);
  event(path);
  for (std::uint32_t t = 0; t < kMostThreads; ++t) {
    const Term waits = waiting_at(path, t);
    const Term woken = pool_.constant(world_.times_out() ? 1 : 0, 64);
    store(path, control({t}, Control::Waiting), pool_.ite(pool_.equal(waits, condition), woken, waits), Sharing::Atomic,
          kUnchecked);
  }
  return done(path, c);
}

}  // namespace heddle::symbolic
