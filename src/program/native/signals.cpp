#include "program/native/signals.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <array>
#include <cstring>
#include <string>

#include "base/contract.hpp"
#include "program/native/layout.hpp"
#include "program/native/memory_map.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"
#include "program/native/snapshot.hpp"

namespace heddle::native {
namespace {

// Exactly these two instructions, without unwind information: that is how unwinders recognise a signal frame.
asm(R"(
    .text
    .hidden heddle_signal_return
    .globl heddle_signal_return
    nop
heddle_signal_return:
    movq $15, %rax
    syscall
)");
extern "C" void heddle_signal_return();

int give_up_process = 0;

constexpr std::size_t kAlternateStackSize = 256 * 1024;

// As the kernel has it; libc's differs.
struct KernelSigaction {
  void (*handler)(int, siginfo_t*, void*);
  std::uint64_t flags;
  void (*restorer)();
  std::uint64_t mask;
};

std::string signal_name(int signal) {
  switch (signal) {
    case SIGSEGV: return "segmentation fault (SIGSEGV)";
    case SIGBUS: return "bus error (SIGBUS)";
    case SIGFPE: return "arithmetic exception (SIGFPE)";
    case SIGILL: return "illegal instruction (SIGILL)";
    case SIGTRAP: return "breakpoint trap (SIGTRAP)";
    case SIGABRT: return "abort (SIGABRT)";
    default: return "signal " + std::to_string(signal);
  }
}

// Nobody's execution: the runtime itself crashed. Die of the signal, so that the supervisor can tell.
void die_of(int signal) {
  const KernelSigaction standard{};
  raw_syscall(SYS_rt_sigaction, static_cast<std::uint64_t>(signal), word(&standard), 0, sizeof standard.mask);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (signal == SIGSEGV && first_write(address)) return;
  if (!rt.inside) {
    die_of(signal);
    return;
  }
  crash_by_signal(signal, address, context);
}

// The processor goes on step by step, because a thread is to be given up on as soon as it is back in the program: see
// on_give_up. So many steps more, and the supervisor has to ask again; an interceptor is through after some hundreds,
// unless it is busy with a large block of memory.
int steps_left = 0;
constexpr int kMostSteps = 20'000;
std::uint64_t asked_at = 0;  // the heartbeat then
constexpr greg_t kTrapFlag = 0x100;

bool in_runtime(std::uint64_t ip) {
  static const RuntimeExtent own = runtime_extent();
  return ip >= own.text_begin && ip < own.text_end;
}

greg_t* registers_of(void* context) { return static_cast<ucontext_t*>(context)->uc_mcontext.gregs; }

std::uint64_t handler_stack = 0;  // where handlers run
bool in_handler(void* context) {
  return static_cast<std::uint64_t>(registers_of(context)[REG_RSP]) - handler_stack < kAlternateStackSize;
}

[[noreturn]] void give_up_at(void* context) {
  OutsideProgram outside;
  if (rt.recording) record_stuck_context(*rt.current, context);
  give_up(static_cast<std::uint64_t>(registers_of(context)[REG_RIP]) + 1);
}

// In the runtime's own text the thread is in the middle of our bookkeeping, and a loop that does little but access
// memory is nearly always there. So it is taken on by single steps to where it is back in the program.
void on_give_up(int signal, siginfo_t*, void* context) {
  if (give_up_process != 0) {
    raw_syscall(SYS_kill, static_cast<std::uint64_t>(give_up_process), static_cast<std::uint64_t>(signal));
    return;
  }
  if (!rt.inside) return;
  // Asked again while on_trap was looking at a step: that goes on, and must not be taken by steps itself.
  if (in_handler(context)) return;
  if (!in_runtime(static_cast<std::uint64_t>(registers_of(context)[REG_RIP]))) give_up_at(context);
  steps_left = kMostSteps;
  asked_at = *rt.heartbeat;
  registers_of(context)[REG_EFL] |= kTrapFlag;
}

void on_trap(int signal, siginfo_t* info, void* context) {
  if (steps_left == 0 || info->si_code != TRAP_TRACE) return on_fault(signal, info, context);
  const bool back = !in_runtime(static_cast<std::uint64_t>(registers_of(context)[REG_RIP]));
  // Otherwise the thread has come to an operation after all: the search runs again, or the next thread of a prefix.
  const bool same = rt.inside && *rt.heartbeat == asked_at;
  if (same && !back && --steps_left > 0) return;
  steps_left = 0;
  registers_of(context)[REG_EFL] &= ~kTrapFlag;
  if (same && back) give_up_at(context);
}

}  // namespace

void crash_by_signal(int signal, std::uint64_t address, void* context) {
  OutsideProgram outside;
  const Fibre& fibre = *rt.current;
  std::uint64_t site = 0;
  if (context != nullptr) {
    site = static_cast<std::uint64_t>(registers_of(context)[REG_RIP]);
    if (rt.recording) record_failure_context(context);
  }
  if (address >= fibre.stack_high - kStackSlot && address < fibre.stack_low) {
    fail(FindingKind::Crash,
         "stack overflow: the thread used more than its " + std::to_string(kStackSize >> 20U) + " MiB of stack", site);
  }
  std::string message = signal_name(signal);
  if (signal == SIGSEGV || signal == SIGBUS) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "0x%lx", address);
    message += std::string(" at address ") + text.data();
  }
  fail(FindingKind::Crash, message, site);
}

void forward_give_up(int process) { give_up_process = process; }

void install_handler(int signal, void (*handler)(int, siginfo_t*, void*), bool alternate_stack) {
  constexpr std::uint64_t kRestorer = 0x04000000;
  const KernelSigaction action{handler,
                               SA_SIGINFO | SA_NODEFER | kRestorer | (alternate_stack ? std::uint64_t{SA_ONSTACK} : 0),
                               heddle_signal_return, 0};
  const long result =
      raw_syscall(SYS_rt_sigaction, static_cast<std::uint64_t>(signal), word(&action), 0, sizeof action.mask);
  HEDDLE_REQUIRE(result == 0, "cannot install a signal handler");
}

void install_signal_handlers() {
  auto* stack = new unsigned char[kAlternateStackSize];
  handler_stack = word(stack);
  const stack_t alternate{.ss_sp = stack, .ss_flags = 0, .ss_size = kAlternateStackSize};
  raw_syscall(SYS_sigaltstack, word(&alternate), 0);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) install_handler(signal, on_fault, true);
  install_handler(SIGTRAP, on_trap, true);
  install_handler(kGiveUpSignal, on_give_up, true);
}

}  // namespace heddle::native
