#include "symbolic/llvm/library_calls.hpp"

#include <map>
#include <set>
#include <string>

namespace heddle::symbolic {
namespace {

using Table = std::map<std::string, LibraryCall, std::less<>>;

constexpr unsigned kFirst = 0;
constexpr unsigned kSecond = 1;

void add_all(Table& table, std::initializer_list<const char*> names, const LibraryCall& call) {
  for (const char* name : names) table.emplace(name, call);
}

void add_locks(Table& table) {
  using enum StaticMode;
  using enum ObjectClass;
  add_all(table, {"pthread_mutex_lock", "mtx_lock", "pthread_spin_lock"}, {.accesses = {{kFirst, Mutex, Acquire}}});
  add_all(table, {"pthread_mutex_trylock", "mtx_trylock", "pthread_spin_trylock"},
          {.accesses = {{kFirst, Mutex, Try}}});
  add_all(table, {"pthread_mutex_unlock", "mtx_unlock", "pthread_spin_unlock"},
          {.accesses = {{kFirst, Mutex, Release}}});
  add_all(table, {"pthread_cond_wait", "cnd_wait"},
          {.accesses = {{kFirst, Condition, Write}, {kSecond, Mutex, Release}, {kSecond, Mutex, Acquire}}});
  add_all(table, {"pthread_cond_signal", "cnd_signal", "pthread_cond_broadcast", "cnd_broadcast"},
          {.accesses = {{kFirst, Condition, Write}}});
  add_all(table, {"sem_wait", "sem_trywait", "sem_post"}, {.accesses = {{kFirst, Semaphore, Write}}});
  table["sem_getvalue"] = {.accesses = {{kFirst, Semaphore, Read}, {kSecond, Memory, Write, true}}};
  table["pthread_barrier_wait"] = {.accesses = {{kFirst, Barrier, Write}}};
  table["pthread_rwlock_rdlock"] = {.accesses = {{kFirst, RwLock, Read}}};
  table["pthread_rwlock_wrlock"] = {.accesses = {{kFirst, RwLock, Acquire}}};
  add_all(table, {"pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock"}, {.accesses = {{kFirst, RwLock, Try}}});
  table["pthread_rwlock_unlock"] = {.accesses = {{kFirst, RwLock, Release}}};
  const LibraryCall once{
      .effect = CallEffect::CallsOnce, .accesses = {{kFirst, Once, Write}, {kFirst, Memory, Write}}, .function = 1};
  add_all(table, {"pthread_once", "call_once"}, once);
  add_all(table,
          {"pthread_mutex_init", "mtx_init", "pthread_mutex_destroy", "mtx_destroy", "pthread_spin_init",
           "pthread_spin_destroy", "pthread_cond_init", "cnd_init", "pthread_cond_destroy", "cnd_destroy", "sem_init",
           "pthread_barrier_init", "pthread_barrier_destroy", "pthread_rwlock_init", "pthread_rwlock_destroy"},
          {.lifetime = true});
  table["sem_destroy"] = {.accesses = {{kFirst, Semaphore, Write}}, .lifetime = true};
}

void add_threads(Table& table) {
  using enum StaticMode;
  using enum ObjectClass;
  table["pthread_create"] = {
      .effect = CallEffect::CreatesThread, .accesses = {{kFirst, Memory, Write, true}}, .function = 2};
  table["thrd_create"] = {
      .effect = CallEffect::CreatesThread, .accesses = {{kFirst, Memory, Write, true}}, .function = 1};
  add_all(table, {"pthread_join", "thrd_join"},
          {.effect = CallEffect::JoinsThread, .accesses = {{kSecond, Memory, Write, true}}, .handles = true});
  add_all(table, {"pthread_detach", "thrd_detach"}, {.handles = true});
  // They unwind the stack, and the unwinder allocates.
  add_all(table, {"pthread_exit", "thrd_exit"}, {.lifetime = true});
  add_all(table, {"pthread_setspecific", "tss_set"}, {.effect = CallEffect::KeepsForThread});
  add_all(table, {"pthread_getspecific", "tss_get"}, {.effect = CallEffect::GetsKept});
  add_all(table, {"pthread_key_create", "tss_create", "atexit"}, {.keeps_callee = true});
  add_all(table, {"heddle_atomic_begin", "__VERIFIER_atomic_begin"}, {.everything = true});
  add_all(table, {"heddle_atomic_end", "__VERIFIER_atomic_end"}, {.everything = true});
}

void add_memory(Table& table) {
  using enum StaticMode;
  using enum ObjectClass;
  add_all(table, {"malloc", "calloc", "aligned_alloc"}, {.effect = CallEffect::Allocates, .lifetime = true});
  table["realloc"] = {.effect = CallEffect::Reallocates, .lifetime = true};
  table["free"] = {.lifetime = true};
  add_all(table, {"memcpy", "memmove", "strcpy", "strncpy"},
          {.effect = CallEffect::Copies, .accesses = {{kFirst, Memory, Write, true}, {kSecond, Memory, Read, true}}});
  table["strcat"] = {
      .effect = CallEffect::Copies,
      .accesses = {{kFirst, Memory, Read, true}, {kFirst, Memory, Write, true}, {kSecond, Memory, Read, true}}};
  table["memset"] = {.accesses = {{kFirst, Memory, Write, true}}};
  table["strlen"] = {.accesses = {{kFirst, Memory, Read, true}}};
  add_all(table, {"strcmp", "memcmp"}, {.accesses = {{kFirst, Memory, Read, true}, {kSecond, Memory, Read, true}}});
}

// Functions that do nothing that another thread's next operation could depend on.
void add_harmless(Table& table) {
  add_all(table,
          {"printf",
           "puts",
           "putchar",
           "fprintf",
           "fputs",
           "perror",
           "sched_yield",
           "sleep",
           "usleep",
           "thrd_yield",
           "pthread_self",
           "thrd_current",
           "pthread_equal",
           "thrd_equal",
           "pthread_mutexattr_init",
           "pthread_mutexattr_settype",
           "pthread_mutexattr_destroy",
           "pthread_attr_init",
           "pthread_attr_setdetachstate",
           "pthread_attr_setstacksize",
           "pthread_attr_destroy",
           "abort",
           "exit",
           "_exit",
           "_Exit",
           "quick_exit",
           "__assert_fail",
           "heddle_assertion_failed",
           "reach_error",
           "heddle_assume_that",
           "__VERIFIER_assume",
           "heddle_choose",
           "atoi",
           "atol",
           "abs",
           "labs"},
          {});
  for (const char* type : {"bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"}) {
    table.emplace(std::string("__VERIFIER_nondet_") + type, LibraryCall{});
  }
}

}  // namespace

const LibraryCall* find_library_call(std::string_view name) {
  static const Table table = [] {
    Table made;
    add_locks(made);
    add_threads(made);
    add_memory(made);
    add_harmless(made);
    return made;
  }();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

bool breaks_control_flow(std::string_view name) {
  // Jumps out of calls, threads that end where they did not want to, a mutex that a thread's end unlocks with whatever
  // step was its last.
  static const std::set<std::string_view> names{
      "setjmp",         "_setjmp",    "sigsetjmp",   "__sigsetjmp", "longjmp",
      "siglongjmp",     "setcontext", "swapcontext", "makecontext", "pthread_mutexattr_setrobust",
      "pthread_cancel", "fork",       "vfork"};
  return names.contains(name);
}

}  // namespace heddle::symbolic
