#include "worker/child_process.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"
#include "program/native/signals.hpp"
#include "program/native/syscalls.hpp"

namespace heddle {
namespace {

using native::raw_syscall;
using native::rt;
using native::word;

void (*before_exit)() = nullptr;

void* map(std::size_t bytes) {
  const long at = raw_syscall(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                              ~std::uint64_t{0}, 0);
  return at > 0 ? reinterpret_cast<void*>(at) : nullptr;
}

void unmap(void* memory, std::size_t bytes) { raw_syscall(SYS_munmap, word(memory), bytes); }

Processes::Child look_after(int child, bool wait) {
  int status = 0;
  if (wait) {
    status = wait_for_child(child);
  } else if (raw_syscall(SYS_wait4, static_cast<std::uint64_t>(child), word(&status), WNOHANG, 0) != child) {
    return Processes::Child::Runs;
  }
  return status == 0 ? Processes::Child::Ended : Processes::Child::Died;
}

void exit_process() {
  before_exit();
  raw_syscall(SYS_exit_group, 0);
}

void give_way() { raw_syscall(SYS_sched_yield); }

}  // namespace

int fork_child() {
  const long parent = raw_syscall(SYS_getpid);
  const auto child = static_cast<int>(raw_syscall(SYS_fork));
  if (child != 0) return child;
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (raw_syscall(SYS_getppid) != parent) raw_syscall(SYS_exit_group, 0);
  native::forward_give_up(0);
  if (!native::start_dispatch()) *rt.selector = 0;  // a forked process starts without it
  return 0;
}

int wait_for_child(int child) {
  int status = 0;
  while (raw_syscall(SYS_wait4, static_cast<std::uint64_t>(child), word(&status), 0, 0) == -EINTR) {
  }
  return status;
}

const Processes& worker_processes(void (*at_exit)()) {
  before_exit = at_exit;
  static constexpr Processes kProcesses{map, unmap, fork_child, look_after, exit_process, give_way};
  return kProcesses;
}

}  // namespace heddle
