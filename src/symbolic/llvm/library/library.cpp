// The library: threads, locks, condition variables, semaphores, barriers, memory, and what programs say to the checker.
//
// Each operation is written with loads, stores and assumptions on the state of its object (see Shadow): a lock is
// "assume that there is no owner, then be it". An `event` marks where the native engine takes a step of its schedule.
// What the native engine finds before the step (a misuse) is checked before the event.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

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
      {"pthread_tryjoin_np", &M::thread_tryjoin},
      {"getpid", &M::process_number},
      {"gettid", &M::thread_number},
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
      {"__cxa_guard_acquire", &M::guard_acquire},
      {"__cxa_guard_release", &M::guard_release},
      {"malloc", &M::allocate},
      {"calloc", &M::allocate},
      {"_Znwm", &M::allocate},
      {"_Znam", &M::allocate},
      {"strlen", &M::string_length},
      {"strcmp", &M::string_compare},
      {"memcmp", &M::memory_compare},
      {"strdup", &M::string_duplicate},
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
                                                "sleep",
                                                "usleep",
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

}  // namespace heddle::symbolic
