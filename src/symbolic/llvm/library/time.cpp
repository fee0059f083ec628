// Clocks, sleeping, and operations that end when their time is up.
//
// As natively, time is virtual and each thread has its own, moved by its sleeps, its time-outs and its looks at a
// clock. Natively it is also joined along happens-before, which is not followed here but for the creation and the join
// of threads: where another thread's time is ahead it may be anything in between. That is more than can happen, so
// nothing is missed; a counterexample that rests on it does not show natively and is not reported (see
// symbolic_check.cpp). Time is two numbers, so that nothing has to be divided. A time-out may come whenever a thread
// has to wait.
#include "symbolic/llvm/library/conventions.hpp"
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {
namespace {

constexpr std::uint64_t kBillion = 1'000'000'000;
constexpr std::uint64_t kLookTakes = 1'000;          // nanoseconds
constexpr std::uint64_t kWallStart = 1'700'000'000;  // seconds, as the native engine has them
constexpr std::uint64_t kSteadyStart = 1'000;

constexpr std::uint64_t kRealtime = 0;  // numbers of clocks
constexpr std::uint64_t kMonotonic = 1;
constexpr std::uint64_t kLastClock = 11;

std::uint64_t start_of(std::uint64_t clock) {
  switch (clock) {
    case 0:
    case 5:
    case kLastClock: return kWallStart;
    case 2:
    case 3: return 0;
    default: return kSteadyStart;
  }
}

}  // namespace

Term Machine::earlier(const Moment& a, const Moment& b) {
  const Term same = pool_.equal(a.seconds, b.seconds);
  return pool_.disj(pool_.apply(Op::ULess, a.seconds, b.seconds),
                    pool_.conj(same, pool_.apply(Op::ULess, a.nanoseconds, b.nanoseconds)));
}

Machine::Moment Machine::either(Term condition, const Moment& a, const Moment& b) {
  return {pool_.ite(condition, a.seconds, b.seconds), pool_.ite(condition, a.nanoseconds, b.nanoseconds)};
}

Machine::Moment Machine::later(const Moment& moment, const Moment& by) {
  const Term sum = pool_.apply(Op::Add, moment.nanoseconds, by.nanoseconds);
  const Term whole = pool_.apply(Op::ULess, sum, pool_.constant(kBillion, 64));
  const Term seconds = pool_.apply(Op::Add, moment.seconds, by.seconds);
  return either(whole, {seconds, sum}, {pool_.add(seconds, 1), pool_.add(sum, ~kBillion + 1)});
}

Machine::Moment Machine::load_moment(Path& path, Term address, Sharing sharing, FailureId failure) {
  const Term seconds = load(path, address, 64, sharing, failure);
  return {seconds, load(path, pool_.add(address, 8), 64, sharing, failure)};
}

void Machine::store_moment(Path& path, Term address, const Moment& moment, Sharing sharing, FailureId failure) {
  store(path, address, moment.seconds, sharing, failure);
  store(path, pool_.add(address, 8), moment.nanoseconds, sharing, failure);
}

// The thread's time, which then is what `change` makes of it.
Machine::Moment Machine::move_time(Path& path, const std::function<Moment(const Moment&)>& change) {
  const Term own_place = control(thread_, Control::Time);
  const Term latest_place = pool_.constant(world_.latest_time(), kAddressBits);
  const Moment own = load_moment(path, own_place, Sharing::Atomic, kUnchecked);
  const Moment latest = load_moment(path, latest_place, Sharing::Atomic, kUnchecked);
  const Term behind = earlier(own, latest);
  Moment known = own;
  if (!pool_.is_false(behind)) {
    const Moment between{choose(path, 64, ""), choose(path, 64, "")};
    const Term proper = pool_.apply(Op::ULess, between.nanoseconds, pool_.constant(kBillion, 64));
    const Term fits = pool_.conj(pool_.negate(earlier(between, own)), pool_.negate(earlier(latest, between)));
    path.actions.push_back(Restrict{pool_.disj(pool_.negate(behind), pool_.conj(proper, fits))});
    known = either(behind, between, own);
  }
  const Moment now = change(known);
  store_moment(path, own_place, now, Sharing::Atomic, kUnchecked);
  store_moment(path, latest_place, either(earlier(latest, now), now, latest), Sharing::Atomic, kUnchecked);
  return now;
}

// A new thread begins with its creator's time, and who joins a thread knows the time of its end.
void Machine::inherit_time(Path& path, ThreadIndex child) {
  if (!world_.reads_clocks()) return;
  const Moment own = load_moment(path, control(thread_, Control::Time), Sharing::Atomic, kUnchecked);
  store_moment(path, control(child, Control::Time), own, Sharing::Atomic, kUnchecked);
}

void Machine::learn_time(Path& path, Term handle) {
  if (!world_.reads_clocks()) return;
  const Moment own = load_moment(path, control(thread_, Control::Time), Sharing::Atomic, kUnchecked);
  const Moment other = load_moment(path, control_of(handle, Control::Time), Sharing::Atomic, kUnchecked);
  store_moment(path, control(thread_, Control::Time), either(earlier(own, other), other, own), Sharing::Atomic,
               kUnchecked);
}

Machine::Moment Machine::look_at_clock(Path& path, Term clock) {
  if (!pool_.is_constant(clock)) throw Refused("a clock that is not constant");
  const Moment takes{pool_.constant(0, 64), pool_.constant(kLookTakes, 64)};
  const Moment now = move_time(path, [&](const Moment& then) { return later(then, takes); });
  return {pool_.add(now.seconds, start_of(pool_.value(clock))), now.nanoseconds};
}

Machine::Next Machine::clock_gettime(Path& path, const llvm::CallBase& c) {
  const bool c11 = c.getCalledFunction()->getName() == "timespec_get";
  const Term place = value(path, c.getArgOperand(c11 ? 0 : 1));
  const Term clock = c11 ? pool_.constant(kRealtime, 32) : value(path, c.getArgOperand(0));
  const Term base = c11 ? value(path, c.getArgOperand(1)) : pool_.constant(1, 32);  // TIME_UTC
  if (!pool_.is_constant(base) || pool_.value(base) != 1) throw Refused("timespec_get with another base than TIME_UTC");
  if (pool_.is_constant(clock) && pool_.value(clock) > kLastClock) {
    set_errno(path, kInvalid);
    return done(path, c, ~std::uint64_t{0});
  }
  const Sharing sharing = sharing_of(path, c.getArgOperand(c11 ? 0 : 1), place);
  if (sharing != Sharing::Private && !gate(path, c, true)) return Next::Stop;
  store_moment(path, place, look_at_clock(path, clock), sharing, invalid(c));
  return done(path, c, c11 ? 1 : 0);
}

Machine::Next Machine::wall_seconds(Path& path, const llvm::CallBase& c) {
  const Term place = value(path, c.getArgOperand(0));
  if (!pool_.is_constant(place) || pool_.value(place) != 0) throw Refused("time() with a place for its result");
  set(path, c, {look_at_clock(path, pool_.constant(kRealtime, 32)).seconds});
  return Next::Advance;
}

// std::chrono's clocks, in nanoseconds.
Machine::Next Machine::cxx_clock(Path& path, const llvm::CallBase& c) {
  const bool steady = c.getCalledFunction()->getName().contains("steady_clock");
  const Moment now = look_at_clock(path, pool_.constant(steady ? kMonotonic : kRealtime, 32));
  const Term seconds = pool_.apply(Op::Mul, now.seconds, pool_.constant(kBillion, 64));
  set(path, c, {pool_.apply(Op::Add, seconds, now.nanoseconds)});
  return Next::Advance;
}

// Sleeping takes time and nothing else.
void Machine::pass_time(Path& path, const Moment& span) {
  if (!world_.reads_clocks()) return;
  (void)move_time(path, [&](const Moment& then) { return later(then, span); });
}

Machine::Next Machine::sleep(Path& path, const llvm::CallBase& c) {
  const Term count = value(path, c.getArgOperand(0));
  if (c.getCalledFunction()->getName() == "sleep") {
    pass_time(path, {pool_.extend(count, 64, false), pool_.constant(0, 64)});
    return done(path, c);
  }
  if (world_.reads_clocks() && !pool_.is_constant(count)) throw Refused("usleep for a time that is not constant");
  const std::uint64_t micros = pool_.is_constant(count) ? pool_.value(count) : 0;
  pass_time(path, {pool_.constant(micros / 1'000'000, 64), pool_.constant(micros % 1'000'000 * 1'000, 64)});
  return done(path, c);
}

Machine::Next Machine::nanosleep(Path& path, const llvm::CallBase& c) {
  const Term place = value(path, c.getArgOperand(0));
  const Sharing sharing = sharing_of(path, c.getArgOperand(0), place);
  if (sharing != Sharing::Private && !gate(path, c, true)) return Next::Stop;
  const Moment span = load_moment(path, place, sharing, invalid(c));
  const Term bad = pool_.disj(improper(span), pool_.apply(Op::SLess, span.seconds, pool_.constant(0, 64)));
  answer(path, c, bad, ~std::uint64_t{0}, [&](Path& p) { set_errno(p, kInvalid); });
  assume(path, pool_.negate(bad));
  pass_time(path, span);
  return done(path, c);
}

// The number of nanoseconds is not one.
Term Machine::improper(const Moment& moment) {
  return pool_.negate(pool_.apply(Op::ULess, moment.nanoseconds, pool_.constant(kBillion, 64)));
}

// The deadline that is the last argument of a timed operation; the clock is the one before it, where the name says so.
Machine::Moment Machine::deadline_of(Path& path, const llvm::CallBase& c) {
  const unsigned last = c.arg_size() - 1;
  const Term place = value(path, c.getArgOperand(last));
  return load_moment(path, place, sharing_of(path, c.getArgOperand(last), place), invalid(c));
}

// Where the condition holds, time has passed up to a deadline.
void Machine::reach_deadline(Path& path, const llvm::CallBase& c, const Moment& deadline, Term condition) {
  if (!world_.reads_clocks()) return;
  const Term clock = c.getCalledFunction()->getName().contains("clock") ? value(path, c.getArgOperand(c.arg_size() - 2))
                                                                        : pool_.constant(kRealtime, 32);
  if (!pool_.is_constant(clock)) throw Refused("a clock that is not constant");
  const Term start = pool_.constant(start_of(pool_.value(clock)), 64);
  const Term before_start = pool_.apply(Op::SLess, deadline.seconds, start);
  const Term seconds = pool_.apply(Op::Sub, deadline.seconds, start);
  const Moment zero{pool_.constant(0, 64), pool_.constant(0, 64)};
  const Moment until = either(before_start, zero, {seconds, deadline.nanoseconds});
  (void)move_time(path,
                  [&](const Moment& then) { return either(pool_.conj(condition, earlier(then, until)), until, then); });
}

// Refuses a deadline that is none, as POSIX has it.
void Machine::check_deadline(Path& path, const llvm::CallBase& c, const Moment& deadline) {
  const bool semaphore = c.getCalledFunction()->getName().starts_with("sem_");
  const std::uint64_t result = is_c11(c) ? kThreadError : semaphore ? ~std::uint64_t{0} : std::uint64_t{kInvalid};
  const Term bad = improper(deadline);
  answer(path, c, bad, result, [&](Path& p) {
    if (semaphore) set_errno(p, kInvalid);
  });
  assume(path, pool_.negate(bad));
}

// A lock or a semaphore that cannot be had: where the operation has a time limit, its time is up.
void Machine::time_out(Path& path, const llvm::CallBase& c, Term blocked) {
  if (!is_timed(c)) return;
  const Moment deadline = deadline_of(path, c);
  check_deadline(path, c, deadline);
  const bool semaphore = c.getCalledFunction()->getName().starts_with("sem_");
  const std::uint64_t result = is_c11(c) ? kThreadTimedOut : semaphore ? ~std::uint64_t{0} : kTimedOut;
  answer(path, c, blocked, result, [&](Path& p) {
    event(p, pool_.constant(kTimedOutOutcome, 32));
    if (semaphore) set_errno(p, static_cast<int>(kTimedOut));
    reach_deadline(p, c, deadline, pool_.truth(true));
  });
}

}  // namespace heddle::symbolic
