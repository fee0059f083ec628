#include "program/native/syscalls.hpp"

#include <fcntl.h>
#include <linux/prctl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "program/native/arena.hpp"
#include "program/native/await.hpp"
#include "program/native/cancellation.hpp"
#include "program/native/channel_calls.hpp"
#include "program/native/exit.hpp"
#include "program/native/futex.hpp"
#include "program/native/memory_map.hpp"
#include "program/native/process_state.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"
#include "program/native/signal_calls.hpp"
#include "program/native/signals.hpp"
#include "program/native/snapshot.hpp"
#include "program/native/syscall_names.hpp"
#include "program/native/time.hpp"

namespace heddle::native {
namespace {

constexpr const char* kFilesNote =
    "files, sockets and devices are not controlled: what the program reads from them or "
    "leaves in them is not put back between executions";

// What is in files is no part of a state: two that are equal would go on differently.
void files_change() {
  if (rt.settings.stateful) {
    refuse(Refusal::Unsupported,
           "the program writes to files, which are no part of a state that can be kept: a search over states cannot be "
           "had for it");
  }
  note_once(kFilesNote);
}

long pass(const SystemCall& call) {
  const auto& a = call.arguments;
  long result = raw_syscall(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result != -EFAULT) return result;
  // The kernel wanted to write to a page that has not been written since the snapshot.
  for (const std::uint64_t argument : a) {
    if (argument > 0x10000) expect_write(argument, 0x10000);
  }
  return raw_syscall(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

[[noreturn]] void refuse_call(const SystemCall& call, const char* why) {
  refuse(Refusal::Unsupported, "the program makes the system call " + syscall_name(call.number) + ", " + why);
}

long opened(long result) {
  if (result >= 0) descriptor_opened(static_cast<int>(result));
  return result;
}

bool would_block(std::uint64_t descriptor, short events) {
  pollfd poll{.fd = static_cast<int>(descriptor), .events = events, .revents = 0};
  return raw_syscall(SYS_poll, word(&poll), 1, 0) == 0;
}

long read_call(const SystemCall& call) {
  if (call.arguments[0] == STDIN_FILENO) {
    capture_standard_input();
  } else if (would_block(call.arguments[0], POLLIN)) {
    refuse_call(call, "which would wait for another process or thread; waiting on descriptors is not modelled");
  }
  return pass(call);
}

long write_call(const SystemCall& call) {
  const std::uint64_t descriptor = call.arguments[0];
  if (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO) {
    if (rt.recording) {
      OutsideProgram outside;
      if (call.number == SYS_write) {
        keep_output(reinterpret_cast<const char*>(call.arguments[1]), call.arguments[2]);
      } else {
        const auto* parts = reinterpret_cast<const iovec*>(call.arguments[1]);
        for (std::uint64_t i = 0; i < call.arguments[2]; ++i) {
          keep_output(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
        }
      }
    }
    return pass(call);
  }
  if (would_block(descriptor, POLLOUT)) {
    refuse_call(call, "which would wait for another process or thread; waiting on descriptors is not modelled");
  }
  files_change();
  return pass(call);
}

// A source of randomness opened as a file becomes a file of deterministic bytes.
long open_random() {
  const long memory = raw_syscall(SYS_memfd_create, word("random"), 0);
  if (memory < 0) return memory;
  std::array<unsigned char, 4096> bytes;
  random_bytes(bytes.data(), bytes.size());
  raw_syscall(SYS_write, static_cast<std::uint64_t>(memory), word(bytes.data()), bytes.size());
  raw_syscall(SYS_lseek, static_cast<std::uint64_t>(memory), 0, SEEK_SET);
  return opened(memory);
}

long open_call(const SystemCall& call) {
  const bool at = call.number == SYS_openat;
  const char* path = reinterpret_cast<const char*>(call.arguments[at ? 1 : 0]);
  const std::uint64_t flags = call.number == SYS_creat ? O_WRONLY : call.arguments[at ? 2 : 1];
  // Not by strcmp, which is the program's here: a look at the name would be a step of it in the middle of the call.
  const std::string_view name = path != nullptr ? path : "";
  if (name == "/dev/urandom" || name == "/dev/random") return open_random();
  // What the C and C++ libraries look up for themselves (locales, character sets) does not change under us.
  const bool of_the_system = name.starts_with("/usr/") || name.starts_with("/lib") || name.starts_with("/etc/");
  if ((flags & (O_WRONLY | O_RDWR)) != 0) files_change();
  if (!of_the_system) note_once(kFilesNote);
  return opened(pass(call));
}

long close_call(const SystemCall& call) {
  const auto descriptor = static_cast<int>(call.arguments[0]);
  if (is_protected(descriptor)) return -EBADF;
  descriptor_closed(descriptor);
  if (descriptor >= 0 && descriptor <= STDERR_FILENO) needs_fresh_process("closes a standard stream");
  return pass(call);
}

long map_call(SystemCall call) {
  auto& a = call.arguments;
  const bool shared = (a[3] & MAP_TYPE) != MAP_PRIVATE;
  if (shared && (a[3] & MAP_ANONYMOUS) != 0) needs_fresh_process("maps shared memory");
  if (shared && (a[3] & MAP_ANONYMOUS) == 0 && (a[2] & PROT_WRITE) != 0) files_change();
  if (a[0] == 0 && (a[3] & MAP_FIXED) == 0) {
    a[0] = map_address(a[1]);
    a[3] |= MAP_FIXED;
  }
  const long result = pass(call);
  if (result > 0 || result < -4095) memory_mapped(static_cast<std::uint64_t>(result), a[1]);
  return result;
}

long sleep_call(const SystemCall& call) {
  cancellation_point(call.site);
  const bool clock_sleep = call.number == SYS_clock_nanosleep;
  const auto* request = reinterpret_cast<const timespec*>(call.arguments[clock_sleep ? 2 : 0]);
  if (clock_sleep && (call.arguments[1] & TIMER_ABSTIME) != 0) {
    const std::uint64_t until = moment(static_cast<clockid_t>(call.arguments[0]), *request);
    if (until > rt.current->time) pass_time(until - rt.current->time);
  } else {
    pass_time(from_timespec(*request));
  }
  return 0;
}

long clock_call(const SystemCall& call) {
  const auto now = [](clockid_t clock) { return to_timespec(read_clock(clock)); };
  switch (call.number) {
    case SYS_clock_gettime:
      *reinterpret_cast<timespec*>(call.arguments[1]) = now(static_cast<clockid_t>(call.arguments[0]));
      return 0;
    case SYS_time: return now(CLOCK_REALTIME).tv_sec;
    default: {
      const timespec wall = now(CLOCK_REALTIME);
      if (call.arguments[0] != 0) {
        *reinterpret_cast<timeval*>(call.arguments[0]) = {wall.tv_sec, wall.tv_nsec / 1000};
      }
      return 0;
    }
  }
}

enum class Treatment : std::uint8_t { Pass, PassFiles, Open, FreshProcess, Refuse };

// For calls that need no code of their own.
Treatment treatment(long number) {
  switch (number) {
    case SYS_access:
    case SYS_arch_prctl:
    case SYS_brk:
    case SYS_faccessat:
    case SYS_faccessat2:
    case SYS_fstat:
    case SYS_fstatfs:
    case SYS_getcwd:
    case SYS_getdents64:
    case SYS_getegid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getpriority:
    case SYS_getrlimit:
    case SYS_getrusage:
    case SYS_getuid:
    case SYS_ioctl:
    case SYS_lseek:
    case SYS_lstat:
    case SYS_madvise:
    case SYS_mincore:
    case SYS_mlock:

    case SYS_mremap:
    case SYS_munlock:
    case SYS_newfstatat:
    case SYS_pread64:
    case SYS_readlink:
    case SYS_readlinkat:
    case SYS_rseq:
    case SYS_sched_getaffinity:
    case SYS_sched_get_priority_max:
    case SYS_sched_get_priority_min:
    case SYS_sched_getparam:
    case SYS_sched_getscheduler:
    case SYS_set_robust_list:
    case SYS_set_tid_address:
    case SYS_stat:
    case SYS_statfs:
    case SYS_statx:
    case SYS_sysinfo:
    case SYS_uname: return Treatment::Pass;
    case SYS_fallocate:
    case SYS_fchmod:
    case SYS_fdatasync:
    case SYS_flock:
    case SYS_fsync:
    case SYS_ftruncate:
    case SYS_link:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_msync:
    case SYS_pwrite64:
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_rmdir:
    case SYS_symlink:
    case SYS_truncate:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_utimensat: return Treatment::PassFiles;
    case SYS_dup:
    case SYS_memfd_create:
    case SYS_socket: return Treatment::Open;
    case SYS_chdir:
    case SYS_fchdir:
    case SYS_prctl:
    case SYS_prlimit64:
    case SYS_setpriority:
    case SYS_setrlimit:
    case SYS_umask: return Treatment::FreshProcess;
    default: return Treatment::Refuse;
  }
}

long default_call(const SystemCall& call) {
  switch (treatment(call.number)) {
    case Treatment::Pass: return pass(call);
    case Treatment::PassFiles: files_change(); return pass(call);
    case Treatment::Open: note_once(kFilesNote); return opened(pass(call));
    case Treatment::FreshProcess:
      if (call.number == SYS_prlimit64 && call.arguments[2] == 0) return pass(call);
      needs_fresh_process("changes the state of its process (working directory, limits, ...)");
      return pass(call);
    case Treatment::Refuse: break;
  }
  refuse_call(call, "which is not modelled");
}

long fcntl_call(const SystemCall& call) {
  const long result = pass(call);
  if (call.arguments[1] == F_DUPFD || call.arguments[1] == F_DUPFD_CLOEXEC) return opened(result);
  return result;
}

// SIGSYS: the kernel hands over a system call that code outside this library made.
void on_dispatched(int, siginfo_t*, void* raw_context) {
  auto* context = static_cast<ucontext_t*>(raw_context);
  auto& registers = context->uc_mcontext.gregs;
  const auto argument = [&](int index) { return static_cast<std::uint64_t>(registers[index]); };
  const SystemCall call{
      registers[REG_RAX],
      {argument(REG_RDI), argument(REG_RSI), argument(REG_RDX), argument(REG_R10), argument(REG_R8), argument(REG_R9)},
      argument(REG_RIP)};
  registers[REG_RAX] = perform_system_call(call);
}

}  // namespace

long thread_kernel_id() { return kProcessId + rt.current->id.value; }

void random_bytes(void* to, std::size_t size) {
  // SplitMix64 over (seed, thread, how many events and draws so far): a function of the thread's own history.
  Fibre& fibre = *rt.current;
  auto* bytes = static_cast<unsigned char*>(to);
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t z =
        rt.settings.seed + 0x9E3779B97F4A7C15U * (++fibre.random_draws + (std::uint64_t{fibre.id.value} << 40U));
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    z ^= z >> 31U;
    std::memcpy(bytes + i, &z, size - i < 8 ? size - i : 8);
  }
}

long perform_system_call(const SystemCall& call) {
  const auto& a = call.arguments;
  const bool only_waits =
      call.number == SYS_sched_yield || call.number == SYS_nanosleep || call.number == SYS_clock_nanosleep;
  if (!only_waits) await_effect();
  if (const auto result = channel_call(call)) return *result;
  if (const auto result = signal_call(call)) return *result;
  switch (call.number) {
    case SYS_futex:
      return futex(a[0], static_cast<int>(a[1]), static_cast<std::uint32_t>(a[2]), reinterpret_cast<const void*>(a[3]),
                   a[4], static_cast<std::uint32_t>(a[5]), call.site);
    case SYS_getpid: return kProcessId;
    case SYS_getppid: return 1;
    case SYS_gettid: return thread_kernel_id();
    case SYS_getcpu:
      if (a[0] != 0) *reinterpret_cast<unsigned*>(a[0]) = 0;
      if (a[1] != 0) *reinterpret_cast<unsigned*>(a[1]) = 0;
      return 0;
    case SYS_sched_yield: pass_time(0, call.site); return 0;
    case SYS_getrandom: random_bytes(reinterpret_cast<void*>(a[0]), a[1]); return static_cast<long>(a[1]);
    case SYS_clock_gettime:
    case SYS_gettimeofday:
    case SYS_time: return clock_call(call);
    case SYS_clock_getres: return pass(call);
    case SYS_nanosleep:
    case SYS_clock_nanosleep: return sleep_call(call);
    case SYS_read:
    case SYS_readv: return read_call(call);
    case SYS_write:
    case SYS_writev: return write_call(call);
    case SYS_open:
    case SYS_openat:
    case SYS_creat: return open_call(call);
    case SYS_close: return close_call(call);
    case SYS_fcntl: return fcntl_call(call);
    case SYS_dup2:
    case SYS_dup3:
      if (is_protected(static_cast<int>(a[1]))) return -EBADF;
      if (a[1] <= STDERR_FILENO) needs_fresh_process("replaces a standard stream");
      return opened(pass(call));
    case SYS_mprotect:
      // Pages must be among those put back before their protection is no longer ours.
      if (expect_write(a[0], a[1])) needs_fresh_process("changes the protection of its own memory");
      return pass(call);
    case SYS_mmap: return map_call(call);
    case SYS_munmap: memory_unmapped(a[0], a[1]); return pass(call);
    case SYS_exit:
    case SYS_exit_group: exit_in_the_middle("_exit", static_cast<int>(a[0]), call.site);
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat: refuse_call(call, "that is, it starts another process (or a thread without pthread_create)");
    default: return default_call(call);
  }
}

bool start_dispatch() {
  const RuntimeExtent own = runtime_extent();
  static std::uint8_t selector = 0;
  rt.selector = &selector;
  install_handler(SIGSYS, on_dispatched, false);
  return raw_syscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, own.text_begin,
                     own.text_end - own.text_begin, word(&selector)) == 0;
}

}  // namespace heddle::native
