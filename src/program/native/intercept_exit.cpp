// Ends of the program, assertions, and the doors to the kernel that libc has for everybody.
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <string>

#include "program/native/exit.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/syscalls.hpp"

using namespace heddle;          // NOLINT: this file is nothing but definitions in libc's own namespace
using namespace heddle::native;  // NOLINT

HEDDLE_INTERCEPT void exit(int status) {
  if (rt.inside) end_of_main(status, HEDDLE_SITE);
  HEDDLE_REAL(exit)(status);
  __builtin_unreachable();
}
HEDDLE_INTERCEPT void _exit(int status) {
  if (rt.inside) exit_in_the_middle("_exit", status, HEDDLE_SITE);
  ::syscall(SYS_exit_group, status);
  __builtin_unreachable();
}
HEDDLE_INTERCEPT void _Exit(int status) noexcept {
  if (rt.inside) exit_in_the_middle("_Exit", status, HEDDLE_SITE);
  ::syscall(SYS_exit_group, status);
  __builtin_unreachable();
}
HEDDLE_INTERCEPT void quick_exit(int status) noexcept {
  if (rt.inside) exit_in_the_middle("quick_exit", status, HEDDLE_SITE);
  HEDDLE_REAL(quick_exit)(status);
  __builtin_unreachable();
}
HEDDLE_INTERCEPT void abort() noexcept {
  if (rt.inside) exit_in_the_middle("abort", -1, HEDDLE_SITE);
  HEDDLE_REAL(abort)();
  __builtin_unreachable();
}
HEDDLE_INTERCEPT int raise(int signal) noexcept {
  if (!rt.inside) return HEDDLE_REAL(raise)(signal);
  return static_cast<int>(perform_system_call(
      {SYS_tgkill,
       {kProcessId, static_cast<std::uint64_t>(thread_kernel_id()), static_cast<std::uint64_t>(signal)},
       HEDDLE_SITE}));
}

HEDDLE_INTERCEPT void __assert_fail(const char* expression, const char* file, unsigned line,
                                    const char* function) noexcept {
  if (rt.inside) {
    OutsideProgram outside;
    fail(FindingKind::Assertion, "assertion `" + std::string(expression) + "` failed", HEDDLE_SITE);
  }
  using Function = void (*)(const char*, const char*, unsigned, const char*);
  HEDDLE_REAL_UNDECLARED(Function, "__assert_fail")(expression, file, line, function);
  __builtin_unreachable();
}
// libstdc++'s assertions (_GLIBCXX_ASSERTIONS), under their C++ name.
HEDDLE_INTERCEPT void heddle_glibcxx_assert_fail(
    const char* file, int line, const char* function,
    const char* condition) __asm__("_ZSt21__glibcxx_assert_failPKciS0_S0_");
void heddle_glibcxx_assert_fail(const char* file, int line, const char* function, const char* condition) {
  if (rt.inside) {
    OutsideProgram outside;
    fail(FindingKind::Assertion,
         "library assertion `" + std::string(condition != nullptr ? condition : "?") + "` failed", HEDDLE_SITE);
  }
  using Function = void (*)(const char*, int, const char*, const char*);
  HEDDLE_REAL_UNDECLARED(Function, "_ZSt21__glibcxx_assert_failPKciS0_S0_")(file, line, function, condition);
}

HEDDLE_INTERCEPT long syscall(long number, ...) noexcept {
  std::va_list list;
  va_start(list, number);
  SystemCall call{number, {}, HEDDLE_SITE};
  for (std::uint64_t& argument : call.arguments) argument = va_arg(list, std::uint64_t);
  va_end(list);
  const auto& a = call.arguments;
  long result = 0;
  if (rt.inside) {
    result = perform_system_call(call);
  } else {
    asm volatile("movq %5, %%r10; movq %6, %%r8; movq %7, %%r9; syscall"
                 : "=a"(result)
                 : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "m"(a[3]), "m"(a[4]), "m"(a[5])
                 : "rcx", "r8", "r9", "r10", "r11", "memory");
  }
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}

namespace {

[[noreturn]] void refuse_process(const char* function) {
  refuse(Refusal::Unsupported,
         std::string("the program calls ") + function + ", which starts another process: that is not modelled");
}

}  // namespace

HEDDLE_INTERCEPT pid_t fork() noexcept {
  if (rt.inside) refuse_process("fork");
  return HEDDLE_REAL(fork)();
}
HEDDLE_INTERCEPT int system(const char* command) {
  if (rt.inside) refuse_process("system");
  return HEDDLE_REAL(system)(command);
}
HEDDLE_INTERCEPT pid_t getpid() noexcept {
  return rt.inside ? static_cast<pid_t>(kProcessId) : static_cast<pid_t>(::syscall(SYS_getpid));
}
HEDDLE_INTERCEPT pid_t gettid() noexcept {
  return rt.inside ? static_cast<pid_t>(thread_kernel_id()) : static_cast<pid_t>(::syscall(SYS_gettid));
}

// std::random_device::_M_getval(): reads the processor's generator without a system call.
HEDDLE_INTERCEPT unsigned heddle_random_device(void* self) __asm__("_ZNSt13random_device9_M_getvalEv");
unsigned heddle_random_device(void* self) {
  if (rt.inside) {
    unsigned value = 0;
    random_bytes(&value, sizeof value);
    return value;
  }
  using Function = unsigned (*)(void*);
  return HEDDLE_REAL_UNDECLARED(Function, "_ZNSt13random_device9_M_getvalEv")(self);
}
