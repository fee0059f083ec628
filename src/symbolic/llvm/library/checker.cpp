// What the program says to the checker: assertions, assumptions, inputs, atomic sections; and how it ends.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

Machine::Next Machine::assertion(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  std::string message = "the program reports an error";
  if (c.arg_size() > 0) {
    const Term text = value(path, c.getArgOperand(0));
    message =
        "assertion `" + (pool_.is_constant(text) ? world_.objects.string_at(pool_.value(text)) : "?") + "` failed";
  }
  fail(path, world_.fail(FindingKind::Assertion, message, &c));
  return Next::Ended;
}

Machine::Next Machine::assumption(Path& path, const llvm::CallBase& c) {
  const Term number = value(path, c.getArgOperand(0));
  const Term holds = pool_.differ(number, pool_.constant(0, pool_.width(number)));
  if (!pool_.is_true(holds)) {
    if (alone_) throw NotAlone{};
    const FailureId failure = world_.fail(FindingKind::Assertion, "an assumption does not hold", &c);
    world_.failures[failure].abandons = true;
    path.actions.push_back(Check{holds, failure});
  }
  return done(path, c);
}

Machine::Next Machine::choice(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term count = value(path, c.getArgOperand(0));
  check(path, pool_.apply(Op::SLess, pool_.constant(0, 32), count), FindingKind::Assertion,
        "heddle_choose needs at least one value to choose from", c);
  const bool few = pool_.is_constant(count) && pool_.value(count) <= 256;
  const Term chosen = pool_.extend(choose(path, few ? 8 : 32, "heddle_choose at " + place_text(&c)), 32, false);
  path.actions.push_back(Restrict{pool_.apply(Op::ULess, chosen, count)});
  event(path, chosen);
  set(path, c, {chosen});
  return Next::Advance;
}

// A value of more than 16 bits is recorded as several choices of 65536, the upper ones first.
Machine::Next Machine::nondeterministic(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const unsigned width = c.getType()->getIntegerBitWidth();
  const llvm::StringRef name = c.getCalledFunction()->getName();
  const unsigned bits = name.ends_with("bool") ? 1 : width;
  const Term chosen = choose(path, bits, name.str() + " at " + place_text(&c));
  for (unsigned low = bits > 16 ? bits - 16 : 0;; low -= 16) {
    event(path, pool_.resize(pool_.extract(chosen, low, std::min(bits, 16U)), 32, false));
    if (low == 0) break;
  }
  set(path, c, {pool_.resize(chosen, width, false)});
  return Next::Advance;
}

Machine::Next Machine::atomic_begin(Path& path, const llvm::CallBase& c) {
  if (path.stack.atomic == 0) {
    if (!gate(path, c, false)) return Next::Stop;
    event(path);
  }
  ++path.stack.atomic;
  return done(path, c);
}

Machine::Next Machine::atomic_end(Path& path, const llvm::CallBase& c) {
  if (path.stack.atomic == 0) {
    if (alone_) throw NotAlone{};
    fail(path, world_.fail(FindingKind::LockMisuse, "the end of an atomic section that has not begun", &c));
    return Next::Ended;
  }
  --path.stack.atomic;
  return done(path, c);
}

Machine::Next Machine::abort(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  fail(path, world_.fail(FindingKind::AbnormalExit, "the program ends in the middle", &c));
  return Next::Ended;
}

Machine::Next Machine::exit(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  const Term status = value(path, c.getArgOperand(0));
  const bool main_ends = thread_.value == 0;
  check(path, main_ends ? pool_.equal(status, pool_.constant(0, 32)) : pool_.truth(false), FindingKind::AbnormalExit,
        "the program calls exit", c);
  finish(std::move(path), LocationKind::Returned);
  return Next::Ended;
}

}  // namespace heddle::symbolic
