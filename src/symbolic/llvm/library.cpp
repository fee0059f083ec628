// The library: threads, locks, condition variables, semaphores, barriers, memory, and what programs say to the checker.
//
// Each operation is written with loads, stores and assumptions on the state of its object (see Shadow): a lock is
// "assume that there is no owner, then be it". An `event` marks where the native engine takes a step of its schedule.
// What the native engine finds before the step (a misuse) is checked before the event.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {
namespace {

constexpr std::uint64_t kBusy = 16;        // EBUSY
constexpr std::uint64_t kNotOwner = 1;     // EPERM
constexpr std::uint64_t kDeadlock = 35;    // EDEADLK
constexpr std::uint64_t kThreadBusy = 1;   // thrd_busy
constexpr std::uint64_t kThreadError = 2;  // thrd_error
constexpr int kAgain = 11;                 // EAGAIN
constexpr std::uint64_t kKindOffset = 16;  // of a mutex's kind, in glibc on x86-64

bool is_c11(const llvm::CallBase& c) {
  const llvm::StringRef name = c.getCalledFunction()->getName();
  return name.starts_with("mtx_") || name.starts_with("thrd_") || name.starts_with("cnd_");
}

bool is_spin(const llvm::CallBase& c) { return c.getCalledFunction()->getName().starts_with("pthread_spin_"); }

}  // namespace

const std::unordered_map<std::string_view, Machine::Handler>& Machine::handlers() {
  using M = Machine;
  static const std::unordered_map<std::string_view, Handler> table{
      {"pthread_create", &M::thread_create},
      {"thrd_create", &M::thread_create},
      {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", &M::cxx_thread_start},
      {"_ZNSt6thread4joinEv", &M::cxx_thread_join},
      {"_ZSt9terminatev", &M::terminate},
      {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", &M::cond_wait},
      {"_ZNSt18condition_variable10notify_oneEv", &M::cond_signal},
      {"_ZNSt18condition_variable10notify_allEv", &M::cond_broadcast},
      {"pthread_join", &M::thread_join},
      {"thrd_join", &M::thread_join},
      {"pthread_exit", &M::thread_exit},
      {"thrd_exit", &M::thread_exit},
      {"pthread_self", &M::thread_self},
      {"thrd_current", &M::thread_self},
      {"pthread_equal", &M::thread_equal},
      {"thrd_equal", &M::thread_equal},
      {"pthread_detach", &M::thread_detach},
      {"thrd_detach", &M::thread_detach},
      {"pthread_mutex_init", &M::mutex_init},
      {"mtx_init", &M::mutex_init},
      {"pthread_mutex_destroy", &M::mutex_destroy},
      {"mtx_destroy", &M::mutex_destroy},
      {"pthread_mutex_lock", &M::mutex_lock},
      {"mtx_lock", &M::mutex_lock},
      {"pthread_mutex_trylock", &M::mutex_trylock},
      {"mtx_trylock", &M::mutex_trylock},
      {"pthread_mutex_unlock", &M::mutex_unlock},
      {"mtx_unlock", &M::mutex_unlock},
      {"pthread_mutexattr_settype", &M::attribute_type},
      {"pthread_attr_setdetachstate", &M::attribute_type},
      {"pthread_attr_init", &M::attribute_init},
      {"pthread_spin_init", &M::spin_init},
      {"pthread_spin_destroy", &M::mutex_destroy},
      {"pthread_spin_lock", &M::spin_lock},
      {"pthread_spin_trylock", &M::mutex_trylock},
      {"pthread_spin_unlock", &M::mutex_unlock},
      {"pthread_cond_init", &M::cond_init},
      {"cnd_init", &M::cond_init},
      {"pthread_cond_wait", &M::cond_wait},
      {"cnd_wait", &M::cond_wait},
      {"pthread_cond_signal", &M::cond_signal},
      {"cnd_signal", &M::cond_signal},
      {"pthread_cond_broadcast", &M::cond_broadcast},
      {"cnd_broadcast", &M::cond_broadcast},
      {"sem_init", &M::sem_init},
      {"sem_wait", &M::sem_wait},
      {"sem_trywait", &M::sem_trywait},
      {"sem_post", &M::sem_post},
      {"sem_getvalue", &M::sem_getvalue},
      {"pthread_barrier_init", &M::barrier_init},
      {"pthread_barrier_wait", &M::barrier_wait},
      {"pthread_rwlock_init", &M::rwlock_init},
      {"pthread_rwlock_rdlock", &M::rwlock_rdlock},
      {"pthread_rwlock_wrlock", &M::rwlock_wrlock},
      {"pthread_rwlock_tryrdlock", &M::rwlock_tryrdlock},
      {"pthread_rwlock_trywrlock", &M::rwlock_trywrlock},
      {"pthread_rwlock_unlock", &M::rwlock_unlock},
      {"pthread_once", &M::once},
      {"call_once", &M::once},
      {"malloc", &M::allocate},
      {"calloc", &M::allocate},
      {"_Znwm", &M::allocate},
      {"_Znam", &M::allocate},
      {"free", &M::release},
      {"_ZdlPv", &M::release},
      {"_ZdlPvm", &M::release},
      {"_ZdaPv", &M::release},
      {"_ZdaPvm", &M::release},
      {"__assert_fail", &M::assertion},
      {"heddle_assertion_failed", &M::assertion},
      {"reach_error", &M::assertion},
      {"heddle_assume_that", &M::assumption},
      {"__VERIFIER_assume", &M::assumption},
      {"heddle_choose", &M::choice},
      {"__VERIFIER_nondet_bool", &M::nondeterministic},
      {"__VERIFIER_nondet_char", &M::nondeterministic},
      {"__VERIFIER_nondet_uchar", &M::nondeterministic},
      {"__VERIFIER_nondet_short", &M::nondeterministic},
      {"__VERIFIER_nondet_ushort", &M::nondeterministic},
      {"__VERIFIER_nondet_int", &M::nondeterministic},
      {"__VERIFIER_nondet_uint", &M::nondeterministic},
      {"__VERIFIER_nondet_long", &M::nondeterministic},
      {"__VERIFIER_nondet_ulong", &M::nondeterministic},
      {"heddle_atomic_begin", &M::atomic_begin},
      {"__VERIFIER_atomic_begin", &M::atomic_begin},
      {"heddle_atomic_end", &M::atomic_end},
      {"__VERIFIER_atomic_end", &M::atomic_end},
      {"abort", &M::abort},
      {"_exit", &M::abort},
      {"_Exit", &M::abort},
      {"quick_exit", &M::abort},
      {"exit", &M::exit},
      {"__errno_location", &M::errno_location},
  };
  return table;
}

// Functions that do nothing a program could notice here: output, names, the end of objects.
bool Machine::is_harmless(std::string_view name) {
  static const std::set<std::string_view> names{"printf",
                                                "puts",
                                                "putchar",
                                                "fprintf",
                                                "fputs",
                                                "fflush",
                                                "perror",
                                                "setvbuf",
                                                "sched_yield",
                                                "thrd_yield",
                                                "pthread_mutexattr_init",
                                                "pthread_mutexattr_destroy",
                                                "pthread_cond_destroy",
                                                "cnd_destroy",
                                                "sem_destroy",
                                                "pthread_barrier_destroy",
                                                "pthread_rwlock_destroy",
                                                "pthread_setname_np",
                                                "__cxa_atexit",
                                                "_ZNSt8ios_base4InitC1Ev",
                                                "_ZNSt6thread6_StateD2Ev",
                                                "_ZNSt18condition_variableC1Ev",
                                                "_ZNSt18condition_variableD1Ev",
                                                "pthread_attr_setstacksize",
                                                "pthread_attr_destroy"};
  return names.contains(name);
}

Machine::Next Machine::library(Path& path, const llvm::CallBase& c, std::string_view name) {
  const auto handler = handlers().find(name);
  return handler != handlers().end() ? (this->*handler->second)(path, c) : done(path, c);
}

Machine::Next Machine::done(Path& path, const llvm::CallBase& c, std::uint64_t result) {
  set(path, c, result);
  return Next::Advance;
}

// ---- threads
// ---------------------------------------------------------------------------------------------------------

void Machine::start(Path& path, const llvm::Function& function, Term argument) {
  if (function.isDeclaration()) throw Refused("a thread that runs a library function");
  const ThreadIndex child = world_.child(thread_, ++path.stack.children);
  auto [entry, arguments] = world_.enter(child, stack_of(function, {{argument}}, world_));
  event(path);
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

// ---- std::thread and std::condition_variable
// -------------------------------------------------------------------------

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
  store(path, place, pool_.constant(0, 64), Sharing::Private, kUnchecked);
  return done(path, c);
}

Machine::Next Machine::terminate(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  fail(path, world_.fail(FindingKind::UncaughtException, "std::terminate is called", &c));
  return Next::Ended;
}

Machine::Next Machine::thread_join(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term handle = value(path, c.getArgOperand(0));
  const FailureId wrong = world_.fail(FindingKind::LockMisuse, "join of something that is not a thread", &c);
  const Term joined = load(path, control_of(handle, Control::Joined), 8, Sharing::Atomic, wrong);
  const Term finished = load(path, control_of(handle, Control::Finished), 8, Sharing::Atomic, kUnchecked);
  assume(path, pool_.equal(finished, pool_.constant(1, 8)));
  event(path);  // somebody else may join while this thread waits: that shows only now
  check(path, pool_.equal(joined, pool_.constant(0, 8)), FindingKind::LockMisuse,
        "a thread is joined that was joined or detached before", c);
  store(path, control_of(handle, Control::Joined), pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
  const Term place = value(path, c.getArgOperand(1));
  if (!pool_.is_constant(place) || pool_.value(place) != 0) {
    const Term result = load(path, control_of(handle, Control::Result), 64, Sharing::Atomic, kUnchecked);
    store(path, place, is_c11(c) ? pool_.extract(result, 0, 32) : result, sharing_of(path, c.getArgOperand(1), place),
          invalid(c));
  }
  return done(path, c);
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
  check(path, pool_.equal(joined, pool_.constant(0, 8)), FindingKind::LockMisuse,
        "a thread is detached that was joined or detached before", c);
  event(path);
  store(path, control_of(handle, Control::Joined), pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

// ---- mutexes
// ---------------------------------------------------------------------------------------------------------

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
  store(path, pool_.add(mutex, kKindOffset), kind, Sharing::Private, failure);
  return done(path, c);
}

Machine::Next Machine::attribute_type(Path& path, const llvm::CallBase& c) {
  store(path, value(path, c.getArgOperand(0)), value(path, c.getArgOperand(1)), Sharing::Private, invalid(c));
  return done(path, c);
}

Machine::Next Machine::mutex_destroy(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term owner = load(path, shadow(value(path, c.getArgOperand(0)), Shadow::Owner), 8, Sharing::Plain, invalid(c));
  check(path, pool_.equal(owner, pool_.constant(0, 8)), FindingKind::LockMisuse, "a locked mutex is destroyed", c);
  return done(path, c);
}

// The kind of a mutex: 0 plain, 1 recursive, 2 error-checking. Nobody asks where no program can set one.
Term Machine::mutex_kind(Path& path, const llvm::CallBase& c, Term mutex) {
  const bool kinds = world_.ir.getFunction("pthread_mutexattr_settype") != nullptr || is_c11(c);
  if (!kinds || is_spin(c)) return pool_.constant(0, 32);
  return load(path, pool_.add(mutex, kKindOffset), 32, Sharing::Private, invalid(c));
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

// Under this condition the call does nothing but return this.
void Machine::answer(Path& path, const llvm::CallBase& c, Term condition, std::uint64_t result) {
  fork(path, condition, [&](Path& p) {
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
  assume(path, pool_.equal(owner, pool_.constant(0, 8)));
  event(path);
  store(path, shadow(lock, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

// ---- condition variables
// ---------------------------------------------------------------------------------------------

Machine::Next Machine::cond_init(Path& path, const llvm::CallBase& c) {
  if (c.arg_size() > 1) {
    const Term attributes = value(path, c.getArgOperand(1));
    if (!pool_.is_constant(attributes) || pool_.value(attributes) != 0)
      throw Refused("attributes of a condition variable");
  }
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
    event(path);
    store(path, shadow(mutex, Shadow::Owner), pool_.constant(0, 8), Sharing::Atomic, kUnchecked);
    store(path, control(thread_, Control::Waiting), condition, Sharing::Atomic, kUnchecked);
    top(path).phase = 1;
    return Next::Stop;
  }
  assume(path, pool_.equal(owner, pool_.constant(0, 8)));
  const Term waits = load(path, control(thread_, Control::Waiting), 64, Sharing::Atomic, kUnchecked);
  assume(path, pool_.equal(waits, pool_.constant(0, 64)));
  event(path);
  store(path, shadow(mutex, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

Term Machine::waiting_at(Path& path, std::uint32_t thread) {
  return load(path, control({thread}, Control::Waiting), 64, Sharing::Atomic, kUnchecked);
}

// Wakes any of those that wait; which is a choice, counted over them in the order of their numbers.
Machine::Next Machine::cond_signal(Path& path, const llvm::CallBase& c) {
  if (alone_) return event(path), done(path, c);
  if (!gate(path, c, false)) return Next::Stop;
  const Term condition = value(path, c.getArgOperand(0));
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
    store(p, control_of(handle, Control::Waiting), pool_.constant(0, 64), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
  return Next::Ended;
}

Machine::Next Machine::cond_broadcast(Path& path, const llvm::CallBase& c) {
  if (alone_) return event(path), done(path, c);
  if (!gate(path, c, false)) return Next::Stop;
  const Term condition = value(path, c.getArgOperand(0));
  event(path);
  for (std::uint32_t t = 0; t < kMostThreads; ++t) {
    const Term waits = waiting_at(path, t);
    store(path, control({t}, Control::Waiting), pool_.ite(pool_.equal(waits, condition), pool_.constant(0, 64), waits),
          Sharing::Atomic, kUnchecked);
  }
  return done(path, c);
}

// ---- semaphores and barriers
// -----------------------------------------------------------------------------------------

Machine::Next Machine::sem_init(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term count = value(path, c.getArgOperand(2));
  if (!pool_.is_constant(count) || pool_.value(count) > 0x7FFFFFFFU) throw Refused("the initial value of a semaphore");
  store(path, shadow(value(path, c.getArgOperand(0)), Shadow::Count), count, Sharing::Plain, invalid(c));
  return done(path, c);
}

Machine::Next Machine::sem_wait(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term place = shadow(value(path, c.getArgOperand(0)), Shadow::Count);
  const Term count = load(path, place, 32, Sharing::Atomic, invalid(c));
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
  fork(path, pool_.negate(empty), [&](Path& p) {
    store(p, place, pool_.add(count, ~std::uint64_t{0}), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
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
  store(path, shadow(barrier, Shadow::Parties), pool_.extract(parties, 0, 8), Sharing::Plain, failure);
  store(path, shadow(barrier, Shadow::Arrived), pool_.constant(0, 8), Sharing::Plain, failure);
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

// ---- rwlocks and once
// ------------------------------------------------------------------------------------------------

Machine::Next Machine::rwlock_init(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, true)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const FailureId failure = invalid(c);
  store(path, shadow(lock, Shadow::Owner), pool_.constant(0, 8), Sharing::Plain, failure);
  store(path, shadow(lock, Shadow::Readers), pool_.constant(0, 8), Sharing::Plain, failure);
  return done(path, c);
}

Machine::Next Machine::rwlock_rdlock(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  if (world_.ir.getFunction("pthread_rwlock_wrlock") != nullptr) {
    check(path, pool_.differ(owner, self()), FindingKind::LockMisuse, "the thread locks a rwlock that it holds already",
          c);
  }
  assume(path, pool_.equal(owner, pool_.constant(0, 8)));
  event(path);
  const Term readers = load(path, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, kUnchecked);
  store(path, shadow(lock, Shadow::Readers), pool_.add(readers, 1), Sharing::Atomic, kUnchecked);
  return done(path, c);
}

Machine::Next Machine::rwlock_wrlock(Path& path, const llvm::CallBase& c) {
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  check(path, pool_.differ(owner, self()), FindingKind::LockMisuse, "the thread locks a rwlock that it holds already",
        c);
  const Term readers = load(path, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, kUnchecked);
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
  fork(path, free, [&](Path& p) {
    store(p, shadow(lock, Shadow::Owner), self(), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
  fork(path, pool_.negate(free), [&](Path& p) {
    set(p, c, kBusy);
    advance(p);
  });
  return Next::Ended;
}

Machine::Next Machine::rwlock_tryrdlock(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  event(path);
  const Term free = pool_.equal(owner, pool_.constant(0, 8));
  fork(path, free, [&](Path& p) {
    const Term readers = load(p, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, kUnchecked);
    store(p, shadow(lock, Shadow::Readers), pool_.add(readers, 1), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
  fork(path, pool_.negate(free), [&](Path& p) {
    set(p, c, kBusy);
    advance(p);
  });
  return Next::Ended;
}

Machine::Next Machine::rwlock_unlock(Path& path, const llvm::CallBase& c) {
  if (alone_) throw NotAlone{};
  if (!gate(path, c, false)) return Next::Stop;
  const Term lock = value(path, c.getArgOperand(0));
  const Term owner = load(path, shadow(lock, Shadow::Owner), 8, Sharing::Atomic, invalid(c));
  const Term writes = pool_.equal(owner, self());
  fork(path, writes, [&](Path& p) {
    event(p);
    store(p, shadow(lock, Shadow::Owner), pool_.constant(0, 8), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
  fork(path, pool_.negate(writes), [&](Path& p) {
    const Term readers = load(p, shadow(lock, Shadow::Readers), 8, Sharing::Atomic, kUnchecked);
    check(p, pool_.differ(readers, pool_.constant(0, 8)), FindingKind::LockMisuse,
          "the thread unlocks a rwlock that it does not hold", c);
    event(p);
    store(p, shadow(lock, Shadow::Readers), pool_.add(readers, ~std::uint64_t{0}), Sharing::Atomic, kUnchecked);
    set(p, c, 0);
    advance(p);
  });
  return Next::Ended;
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
  const Term target = value(path, c.getArgOperand(1));
  const llvm::Function* function =
      pool_.is_constant(target) ? world_.objects.function_at(pool_.value(target)) : nullptr;
  if (function == nullptr || function->isDeclaration())
    throw Refused("a function to be called once that is not constant");
  const Term fresh = pool_.equal(state, pool_.constant(0, 8));
  fork(path, fresh, [&](Path& p) {
    store(p, state_at, pool_.constant(1, 8), Sharing::Atomic, kUnchecked);
    top(p).phase = 1;
    p.stack.frames.push_back(stack_of(*function, {}, world_).frames.front());
  });
  fork(path, pool_.negate(fresh), [&](Path& p) {
    set(p, c, 0);
    advance(p);
  });
  return Next::Ended;
}

// ---- memory
// ----------------------------------------------------------------------------------------------------------

Machine::Next Machine::allocate(Path& path, const llvm::CallBase& c) {
  Term size = value(path, c.getArgOperand(0));
  if (c.getCalledFunction()->getName() == "calloc") size = pool_.apply(Op::Mul, size, value(path, c.getArgOperand(1)));
  if (!pool_.is_constant(size)) throw Refused("an allocation whose size is not constant");
  const Address block = world_.block(thread_, path.stack.blocks++, std::max<std::uint64_t>(pool_.value(size), 1));
  const Term flag = pool_.constant(address_of(object_of(block), 0, kAliveShadow), kAddressBits);
  store(path, flag, pool_.constant(1, 8), Sharing::Private, kUnchecked);
  set(path, c, {pool_.constant(block, kAddressBits)});
  return Next::Advance;
}

// Freeing is a write to the whole block: whoever uses it at the same time has a race with it.
Machine::Next Machine::release(Path& path, const llvm::CallBase& c) {
  const Term block = value(path, c.getArgOperand(0));
  const Term null = pool_.equal(block, pool_.constant(0, kAddressBits));
  if (pool_.is_true(null)) return done(path, c);
  if (!gate(path, c, true)) return Next::Stop;
  const Term flag = shadow(block, Shadow::Alive);
  const FailureId failure =
      world_.fail(FindingKind::DoubleFree, "memory is freed that is not a living block of the heap", &c);
  if (pool_.is_false(null)) {
    if (alone_ && load(path, flag, 8, Sharing::Plain, failure) != pool_.constant(1, 8)) throw NotAlone{};
    store(path, flag, pool_.constant(2, 8), Sharing::Plain, failure);
    return done(path, c);
  }
  fork(path, null, [&](Path& p) { advance(p); });
  fork(path, pool_.negate(null), [&](Path& p) {
    store(p, flag, pool_.constant(2, 8), Sharing::Plain, failure);
    advance(p);
  });
  return Next::Ended;
}

Machine::Next Machine::errno_location(Path& path, const llvm::CallBase& c) {
  set(path, c, {pool_.constant(world_.local(thread_, 0, *c.getCalledFunction(), 4), kAddressBits)});
  return Next::Advance;
}

void Machine::set_errno(Path& path, int number) {
  const llvm::Function* function = world_.ir.getFunction("__errno_location");
  if (function == nullptr) return;
  const Address place = world_.local(thread_, 0, *function, 4);
  store(path, pool_.constant(place, kAddressBits), pool_.constant(static_cast<std::uint64_t>(number), 32),
        Sharing::Private, kUnchecked);
}

// ---- what the program says to the checker
// ----------------------------------------------------------------------------

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
  if (path.stack.atomic == 0) throw Refused("the end of an atomic section that has not begun");
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
