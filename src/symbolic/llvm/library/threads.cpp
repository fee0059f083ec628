// Threads of C: created, joined, detached, ended.
#include "symbolic/llvm/library/conventions.hpp"
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

void Machine::start(Path& path, const llvm::Function& function, Term argument) {
  if (function.isDeclaration()) throw Refused("a thread that runs a library function");
  const ThreadIndex child = world_.child(thread_, ++path.stack.children);
  auto [entry, arguments] = world_.enter(child, stack_of(function, {{argument}}, world_));
  event(path);
  inherit_time(path, child);
  path.actions.push_back(Spawn{child, entry, std::move(arguments)});
}

Machine::Next Machine::thread_create(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  const bool c11 = is_c11(c);
  if (top(path).phase == 1) return store_handle(path, c, c.getArgOperand(0));
  if (!gate(path, c, false)) return Next::Stop;
  const Term attributes = c11 ? pool_.constant(0, 64) : value(path, c.getArgOperand(1));
  Term detached = pool_.constant(0, 32);
  if (!pool_.is_constant(attributes) || pool_.value(attributes) != 0) {
    detached = load(path, attributes, 32, Sharing::Private, invalid(c));
  }
  const Term target = value(path, c.getArgOperand(c11 ? 1 : 2));
  const Term argument = value(path, c.getArgOperand(c11 ? 2 : 3));
  if (!pool_.is_constant(target)) throw Refused("a thread whose function is not constant");
  const llvm::Function* function = world_.objects.function_at(pool_.value(target));
  if (function == nullptr) throw Refused("a thread whose function is not one of the program's");
  start(path, *function, argument);
  const ThreadIndex child = world_.child(thread_, path.stack.children);
  const Term flag = pool_.extend(pool_.differ(detached, pool_.constant(0, 32)), 8, false);
  store(path, control(child, Control::Joined), flag, Sharing::Atomic, kUnchecked);
  return store_handle(path, c, c.getArgOperand(0));
}

// Of the attributes only the detached state is kept, in the first bytes.
Machine::Next Machine::attribute_init(Path& path, const llvm::CallBase& c) {
  store(path, value(path, c.getArgOperand(0)), pool_.constant(0, 32), Sharing::Private, invalid(c));
  return done(path, c);
}

// The creator learns the handle when the new thread may be running already: a step of its own, if others can see it.
Machine::Next Machine::store_handle(Path& path, const llvm::CallBase& c, const llvm::Value* place) {
  const Term handle = value(path, place);
  const Sharing sharing = sharing_of(path, place, handle);
  top(path).phase = 1;
  if (sharing != Sharing::Private && !gate(path, c, true)) return Next::Stop;
  const ThreadIndex child = world_.child(thread_, path.stack.children);
  store(path, handle, pool_.constant(child.value + 1, 64), sharing, invalid(c));
  return done(path, c);
}

Machine::Next Machine::thread_join(Path& path, const llvm::CallBase& c) {
  return gate(path, c, false) ? join(path, c) : Next::Stop;
}

Machine::Next Machine::join(Path& path, const llvm::CallBase& c) {
  const Term handle = value(path, c.getArgOperand(0));
  const FailureId wrong = world_.fail(FindingKind::LockMisuse, "join of something that is not a thread", &c);
  const Term joined = load(path, control_of(handle, Control::Joined), 8, Sharing::Atomic, wrong);
  check(path, pool_.differ(handle, pool_.constant(thread_.value + 1, 64)), FindingKind::LockMisuse,
        "the thread joins itself", c);
  const Term finished = load(path, control_of(handle, Control::Finished), 8, Sharing::Atomic, kUnchecked);
  assume(path, pool_.equal(finished, pool_.constant(1, 8)));
  event(path);  // somebody else may join while this thread waits: that shows only now
  check(path, pool_.equal(joined, pool_.constant(0, 8)), FindingKind::LockMisuse,
        "a thread is joined that was joined or detached before", c);
  store(path, control_of(handle, Control::Joined), pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
  learn_time(path, handle);
  const Term place = value(path, c.getArgOperand(1));
  if (!pool_.is_constant(place) || pool_.value(place) != 0) {
    const Term result = load(path, control_of(handle, Control::Result), 64, Sharing::Atomic, kUnchecked);
    store(path, place, is_c11(c) ? pool_.extract(result, 0, 32) : result, sharing_of(path, c.getArgOperand(1), place),
          invalid(c));
  }
  return done(path, c);
}

// It may come too early even where the thread has done all that can be seen: who has may still be about to end.
Machine::Next Machine::thread_tryjoin(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term handle = value(path, c.getArgOperand(0));
  const FailureId wrong = world_.fail(FindingKind::LockMisuse, "join of something that is not a thread", &c);
  const Term finished = load(path, control_of(handle, Control::Finished), 8, Sharing::Atomic, wrong);
  const Term early = pool_.equal(choose(path, 1, ""), pool_.constant(1, 1));
  answer(path, c, pool_.disj(early, pool_.equal(finished, pool_.constant(0, 8))), kBusy,
         [&](Path& p) { event(p, pool_.constant(kTimedOutOutcome, 32)); });
  assume(path, pool_.negate(early));
  return join(path, c);
}

void Machine::finish_thread(Path path, Term result) {
  if (alone_) throw NotAlone{};
  store(path, control(thread_, Control::Result), result, Sharing::Atomic, kUnchecked);
  store(path, control(thread_, Control::Finished), pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
  finish(std::move(path), LocationKind::Finished);
}

Machine::Next Machine::thread_exit(Path& path, const llvm::CallBase& c) {
  const Term result = value(path, c.getArgOperand(0));
  finish_thread(std::move(path), pool_.resize(result, 64, true));
  return Next::Ended;
}

Machine::Next Machine::thread_self(Path& path, const llvm::CallBase& c) { return done(path, c, thread_.value + 1); }

// As the native engine numbers them.
constexpr std::uint64_t kProcessNumber = 100'000;

Machine::Next Machine::process_number(Path& path, const llvm::CallBase& c) { return done(path, c, kProcessNumber); }

Machine::Next Machine::thread_number(Path& path, const llvm::CallBase& c) {
  return done(path, c, kProcessNumber + thread_.value);
}

Machine::Next Machine::thread_equal(Path& path, const llvm::CallBase& c) {
  const Term same = pool_.equal(value(path, c.getArgOperand(0)), value(path, c.getArgOperand(1)));
  set(path, c, {pool_.extend(same, 32, false)});
  return Next::Advance;
}

Machine::Next Machine::thread_detach(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term handle = value(path, c.getArgOperand(0));
  const FailureId wrong = world_.fail(FindingKind::LockMisuse, "detach of something that is not a thread", &c);
  const Term joined = load(path, control_of(handle, Control::Joined), 8, Sharing::Atomic, wrong);
  event(path);
  check(path, pool_.equal(joined, pool_.constant(0, 8)), FindingKind::LockMisuse,
        "a thread is detached that was joined or detached before", c);
  store(path, control_of(handle, Control::Joined), pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

}  // namespace heddle::symbolic
