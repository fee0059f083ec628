#include "explore/stateful/processes.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace heddle {
namespace {

void* map(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void unmap(void* memory, std::size_t bytes) { ::munmap(memory, bytes); }

int fork_process() { return ::fork(); }

Processes::Child look_after(int child, bool wait) {
  int status = 0;
  for (;;) {
    const int got = ::waitpid(child, &status, wait ? 0 : WNOHANG);
    if (got == 0) return Processes::Child::Runs;
    if (got > 0) break;
    if (errno != EINTR) return Processes::Child::Died;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Processes::Child::Ended : Processes::Child::Died;
}

void exit_process() { ::_exit(0); }

void give_way() { ::sched_yield(); }

}  // namespace

const Processes& ordinary_processes() {
  static constexpr Processes kOrdinary{map, unmap, fork_process, look_after, exit_process, give_way};
  return kOrdinary;
}

}  // namespace heddle
