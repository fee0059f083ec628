// std::thread, as libstdc++ has it: a state object whose virtual function the new thread runs.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

// std::thread(state, depend): the state's virtual function runs in the new thread. Its table has the destructors first.
Machine::Next Machine::cxx_thread_start(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (top(path).phase == 1) return store_handle(path, c, c.getArgOperand(0));
  if (!gate(path, c, false)) return Next::Stop;
  const FailureId failure = invalid(c);
  const Term state = load(path, value(path, c.getArgOperand(1)), 64, Sharing::Private, failure);
  const Term table = load(path, state, 64, Sharing::Private, failure);
  const Term target = load(path, pool_.add(table, 16), 64, Sharing::Private, failure);
  store(path, value(path, c.getArgOperand(1)), pool_.constant(0, 64), Sharing::Private, failure);
  for (const llvm::Function& function : world_.ir) {
    const llvm::StringRef name = function.getName();
    if (function.isDeclaration() || !name.contains("_State_impl") || !name.ends_with("_M_runEv")) continue;
    const Term here = pool_.equal(target, pool_.constant(world_.objects.address_of_global(function, thread_), 64));
    fork(path, here, [&](Path& p) {
      start(p, function, state);
      if (store_handle(p, c, c.getArgOperand(0)) == Next::Advance) advance(p);
    });
  }
  return Next::Ended;
}

// std::thread::join: of the handle in the object, which is then nobody's.
Machine::Next Machine::cxx_thread_join(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term place = value(path, c.getArgOperand(0));
  const Term handle = load(path, place, 64, Sharing::Private, invalid(c));
  const FailureId wrong = world_.fail(FindingKind::UncaughtException, "join of a std::thread without a thread", &c);
  const Term joined = load(path, control_of(handle, Control::Joined), 8, Sharing::Atomic, wrong);
  check(path, pool_.equal(joined, pool_.constant(0, 8)), FindingKind::LockMisuse,
        "a thread is joined that was joined or detached before", c);
  const Term finished = load(path, control_of(handle, Control::Finished), 8, Sharing::Atomic, kUnchecked);
  assume(path, pool_.equal(finished, pool_.constant(1, 8)));
  event(path);
  store(path, control_of(handle, Control::Joined), pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
  learn_time(path, handle);
  store(path, place, pool_.constant(0, 64), Sharing::Private, kUnchecked);
  return done(path, c);
}

Machine::Next Machine::terminate(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  fail(path, world_.fail(FindingKind::UncaughtException, "std::terminate is called", &c));
  return Next::Ended;
}

}  // namespace heddle::symbolic
