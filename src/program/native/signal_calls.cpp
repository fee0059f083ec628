#include "program/native/signal_calls.hpp"

#include <signal.h>
#include <sys/syscall.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>

#include "program/native/accesses.hpp"
#include "program/native/cancellation.hpp"
#include "program/native/locks.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/process_objects.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/signals.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/time.hpp"

namespace heddle::native {
namespace {

constexpr std::uint64_t kIgnored = 1;              // SIG_IGN
constexpr std::uint64_t kWithInfo = 4;             // SA_SIGINFO
constexpr std::uint64_t kOnce = 0x80000000;        // SA_RESETHAND
constexpr std::uint64_t kNotBlocked = 0x40000000;  // SA_NODEFER

// As the kernel has it; libc's differs.
struct KernelAction {
  std::uint64_t handler;
  std::uint64_t flags;
  std::uint64_t restorer;
  std::uint64_t mask;
};

SignalState& state() { return process_objects.signals; }

std::uint64_t bit(int signal) { return std::uint64_t{1} << (signal - 1); }

// All signals are one object of the dependency relation, and one for what senders pass on.
std::uint64_t object() { return word(&process_objects.signals); }

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

bool ignored_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

// A handler of the program, on the thread it was sent by.
void run_handler(int signal) {
  const SignalAction action = state().actions[static_cast<std::size_t>(signal)];
  std::uint64_t& blocked = state().blocked[rt.current->id.value];
  const std::uint64_t before = blocked;
  blocked |= action.mask | ((action.flags & kNotBlocked) != 0 ? 0 : bit(signal));
  if ((action.flags & kOnce) != 0) state().actions[static_cast<std::size_t>(signal)] = {};
  if ((action.flags & kWithInfo) != 0) {
    siginfo_t info{};
    info.si_signo = signal;
    info.si_code = SI_TKILL;
    clear_before_call();
    reinterpret_cast<void (*)(int, siginfo_t*, void*)>(action.handler)(signal, &info, nullptr);
  } else {
    clear_before_call();
    reinterpret_cast<void (*)(int)>(action.handler)(signal);
  }
  state().blocked[rt.current->id.value] = before;
}

// What becomes of a signal that the current thread does not block.
void deliver_here(int signal, std::uint64_t site) {
  const SignalAction& action = state().actions[static_cast<std::size_t>(signal)];
  if (action.handler == kIgnored || (action.handler == 0 && ignored_by_default(signal))) return;
  if (action.handler != 0) return run_handler(signal);
  if (signal == SIGABRT || signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
      signal == SIGTRAP) {
    crash_by_signal(signal, 0, nullptr);
  }
  if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) {
    refuse(Refusal::Unsupported, "the program stops itself by " + signal_text(signal) + ", which is not modelled");
  }
  fail(FindingKind::AbnormalExit,
       "the program is ended by " + signal_text(signal) + ", which it sends itself and does not handle", site);
}

void deliver_to(const Fibre& target, int signal, std::uint64_t site) {
  const SignalAction& action = state().actions[static_cast<std::size_t>(signal)];
  const bool handled = action.handler != 0 && action.handler != kIgnored;
  if (&target != rt.current && handled) {
    refuse(Refusal::Unsupported,
           "the program sends " + signal_text(signal) +
               " to another thread, where a handler would interrupt it anywhere: that is not modelled (a thread that "
               "blocks the signal and takes it by sigwait is)");
  }
  deliver_here(signal, site);
}

void make_pending(std::uint64_t& pending, int signal) {
  if (signal >= SIGRTMIN && (pending & bit(signal)) != 0) {
    refuse(Refusal::Unsupported,
           "the program sends a real-time signal that is pending already: queues of signals are "
           "not modelled");
  }
  pending |= bit(signal);
  release_more(*rt.current, object());
}

void announce(OpKind kind, std::uint64_t second, std::uint64_t site) {
  change_process_objects();
  reach({.kind = kind, .object = object(), .second = second, .site = site});
}

int signal_process(int signal, std::uint64_t site) {
  announce(OpKind::SignalSend, 0, site);
  rt.event.total = true;  // who can take it depends on which threads there are
  const std::uint64_t mask = bit(signal);
  Fibre* open = nullptr;
  std::size_t candidates = 0;
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const ThreadPhase phase = (*rt.states)[i].phase;
    if (phase != ThreadPhase::Pending && rt.fibres[i] != rt.current) continue;
    if ((state().blocked[i] & mask) != 0) continue;
    ++candidates;
    if (open == nullptr || rt.fibres[i] == rt.current) open = rt.fibres[i];
  }
  if (open == nullptr) {
    make_pending(state().process_pending, signal);
    return 0;
  }
  const SignalAction& action = state().actions[static_cast<std::size_t>(signal)];
  if (candidates > 1 && action.handler > kIgnored) {
    refuse(Refusal::Unsupported, "the program sends itself " + signal_text(signal) +
                                     ", whose handler could run in any of several threads: that is not modelled");
  }
  deliver_to(*open, signal, site);
  return 0;
}

long send_call(const SystemCall& call) {
  const auto& a = call.arguments;
  const bool to_process = call.number == SYS_kill;
  const auto signal = static_cast<int>(a[call.number == SYS_tgkill ? 2 : 1]);
  if (signal < 0 || signal > 64) return -EINVAL;
  const std::uint64_t id = a[call.number == SYS_tgkill ? 1 : 0];
  if (to_process && id != static_cast<std::uint64_t>(kProcessId)) {
    refuse(Refusal::Unsupported, "the program sends a signal to another process, which is not modelled");
  }
  if (signal == 0) return 0;
  if (to_process) return -signal_process(signal, call.site);
  const std::uint64_t thread = id - static_cast<std::uint64_t>(kProcessId);
  if (thread >= rt.thread_count) return -ESRCH;
  return -signal_thread(*rt.fibres[thread], signal, call.site);
}

long action_call(const SystemCall& call) {
  const auto& a = call.arguments;
  const auto signal = static_cast<int>(a[0]);
  if (signal < 1 || signal > 64) return -EINVAL;
  const auto* wanted = reinterpret_cast<const KernelAction*>(a[1]);
  auto* old = reinterpret_cast<KernelAction*>(a[2]);
  if (wanted != nullptr && (signal == SIGKILL || signal == SIGSTOP)) return -EINVAL;
  const SignalAction* known = &state().actions[static_cast<std::size_t>(signal)];
  const SignalAction before = *known;
  if (wanted != nullptr) {
    const SignalAction now{wanted->handler, wanted->flags, wanted->mask};
    const bool changes = now.handler != before.handler || now.flags != before.flags || now.mask != before.mask;
    if (changes) {
      announce(OpKind::SignalMask, 0, call.site);
      state().actions[static_cast<std::size_t>(signal)] = now;
    }
  }
  if (old != nullptr) *old = {before.handler, before.flags, 0, before.mask};
  return 0;
}

// Signals that have become unblocked and were pending.
void deliver_unblocked(std::uint64_t site) {
  const std::size_t self = rt.current->id.value;
  for (;;) {
    const std::uint64_t open = (state().pending[self] | state().process_pending) & ~state().blocked[self];
    if (open == 0) return;
    const int signal = std::countr_zero(open) + 1;
    std::uint64_t& where = (state().pending[self] & bit(signal)) != 0 ? state().pending[self] : state().process_pending;
    where &= ~bit(signal);
    deliver_here(signal, site);
  }
}

long mask_call(const SystemCall& call) {
  const auto& a = call.arguments;
  const std::size_t self = rt.current->id.value;
  const std::uint64_t before = state().blocked[self];
  if (a[1] != 0) {
    const std::uint64_t set = *reinterpret_cast<const std::uint64_t*>(a[1]) & ~(bit(SIGKILL) | bit(SIGSTOP));
    std::uint64_t now = 0;
    switch (a[0]) {
      case SIG_BLOCK: now = before | set; break;
      case SIG_UNBLOCK: now = before & ~set; break;
      case SIG_SETMASK: now = set; break;
      default: return -EINVAL;
    }
    if (now != before) {
      announce(OpKind::SignalMask, now, call.site);
      state().blocked[self] = now;
      deliver_unblocked(call.site);
    }
  }
  if (a[2] != 0) *reinterpret_cast<std::uint64_t*>(a[2]) = before;
  return 0;
}

long wait_call(const SystemCall& call) {
  const auto& a = call.arguments;
  Fibre& fibre = *rt.current;
  const std::uint64_t set = *reinterpret_cast<const std::uint64_t*>(a[0]);
  auto* info = reinterpret_cast<siginfo_t*>(a[1]);
  const auto* limit = reinterpret_cast<const timespec*>(a[2]);
  const std::uint64_t patience = limit == nullptr ? 0 : from_timespec(*limit);
  const bool looks_only = limit != nullptr && patience == 0;
  fibre.timed = patience > 0;
  fibre.deadline = fibre.time + patience;
  change_process_objects();
  const Outcome outcome = reach(
      {.kind = OpKind::SignalWait, .size = looks_only ? 1U : 0U, .object = object(), .second = set, .site = call.site});
  if (outcome == kTimedOut) {
    act_if_cancelled();
    reach_deadline(fibre);
    return -EAGAIN;
  }
  std::uint64_t& own = state().pending[fibre.id.value];
  std::uint64_t& where = (own & set) != 0 ? own : state().process_pending;
  const std::uint64_t there = where & set;
  if (there == 0) return -EAGAIN;
  const int signal = std::countr_zero(there) + 1;
  where &= ~bit(signal);
  acquire(fibre, object());
  if (info != nullptr) {
    std::memset(info, 0, sizeof *info);
    info->si_signo = signal;
    info->si_code = SI_TKILL;
    info->si_pid = static_cast<pid_t>(kProcessId);
  }
  return signal;
}

long pending_call(const SystemCall& call) {
  announce(OpKind::SignalMask, 0, call.site);
  const std::size_t self = rt.current->id.value;
  *reinterpret_cast<std::uint64_t*>(call.arguments[0]) =
      (state().pending[self] | state().process_pending) & state().blocked[self];
  return 0;
}

}  // namespace

std::optional<long> signal_call(const SystemCall& call) {
  switch (call.number) {
    case SYS_rt_sigaction: return action_call(call);
    case SYS_rt_sigprocmask: return mask_call(call);
    case SYS_rt_sigpending: return pending_call(call);
    case SYS_rt_sigtimedwait: return wait_call(call);
    case SYS_sigaltstack: return 0;
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill: return send_call(call);
    default: return std::nullopt;
  }
}

int signal_thread(Fibre& target, int signal, std::uint64_t site) {
  announce(OpKind::SignalSend, target.id.value + std::uint64_t{1}, site);
  // What becomes of it depends on how far the thread has got, and on whether it has been joined.
  if (&target != rt.current) rt.event.total = true;
  if (target.joined) misuse("a signal is sent to something that is not a thread any more", site);
  // Number 0 only asks whether it may be sent.
  if (signal == 0 || state_of(target.id).phase == ThreadPhase::Finished) return 0;
  if ((state().blocked[target.id.value] & bit(signal)) != 0) {
    make_pending(state().pending[target.id.value], signal);
  } else {
    deliver_to(target, signal, site);
  }
  return 0;
}

void signal_broken_pipe(std::uint64_t site) {
  const std::size_t self = rt.current->id.value;
  if ((state().blocked[self] & bit(SIGPIPE)) != 0) {
    make_pending(state().pending[self], SIGPIPE);
  } else {
    deliver_here(SIGPIPE, site);
  }
}

void signals_inherit(const Fibre& parent, const Fibre& child) noexcept {
  if (process_objects.used) state().blocked[child.id.value] = state().blocked[parent.id.value];
}

void signals_block(const Fibre& child, const sigset_t& blocked) noexcept {
  std::memcpy(&change_process_objects().signals.blocked[child.id.value], &blocked, sizeof(std::uint64_t));
}

bool signal_there(const Fibre& fibre, const Operation& pending) noexcept {
  return pending.size == 1 || ((state().pending[fibre.id.value] | state().process_pending) & pending.second) != 0;
}

}  // namespace heddle::native
