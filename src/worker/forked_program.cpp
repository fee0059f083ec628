#include "worker/forked_program.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <string>

#include "base/contract.hpp"
#include "program/native/process_state.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"
#include "program/native/signals.hpp"
#include "worker/child_process.hpp"

namespace heddle {
namespace {

using native::raw_syscall;
using native::rt;
using native::word;

enum Command : int { kStep = 1, kRun = 2, kConclude = 3 };

constexpr std::size_t kPrefixRoom = 1U << 20U;

}  // namespace

// What passes between the two processes. The child fills in everything but the request.
struct ForkedProgram::Shared {
  std::uint32_t turn;  // futex: even, the parent's; odd, the child's
  int command;
  Choice choice;
  std::size_t prefix_length;
  std::size_t performed;
  Event event;
  std::size_t thread_count;
  std::array<ThreadState, kMaxThreads> states;
  std::array<ThreadId, kMaxThreads> parents;
  std::array<std::uint32_t, kMaxThreads> ordinals;
  ThreadSet enabled;
  ProgramPhase phase;
  bool has_finding;
  FindingKind finding_kind;
  ThreadId finding_thread;
  std::uint64_t finding_key;
  std::uint64_t finding_memory;
  bool raised;
  bool abandoned;
  std::array<char, 1024> finding_message;
  native::Refusal refusal;
  std::array<char, 1024> refusal_text;
  bool timeouts_cut;
  bool gave_up;
  bool main_returned_early;
  bool weak_orders;
  bool input_captured;
  PlannedChoice prefix[kPrefixRoom];
};

ForkedProgram::ForkedProgram(native::NativeProgram& inner) : inner_(inner) {
  const long at = raw_syscall(SYS_mmap, 0, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                              ~std::uint64_t{0}, 0);
  HEDDLE_REQUIRE(at > 0, "cannot map memory to share with the forked program");
  shared_ = reinterpret_cast<Shared*>(at);
  native::share_standard_input(shared_->input_captured);
}

ForkedProgram::~ForkedProgram() { end_child(); }

void ForkedProgram::end_child() {
  if (child_ == 0) return;
  raw_syscall(SYS_kill, static_cast<std::uint64_t>(child_), SIGKILL);
  raw_syscall(SYS_wait4, static_cast<std::uint64_t>(child_), 0, 0, 0);
  native::forward_give_up(0);
  child_ = 0;
}

void ForkedProgram::restart() {
  end_child();
  died_ = false;
  events_.fill(0);
  // Threads that earlier executions met keep their numbers.
  shared_->turn = 1;
  shared_->phase = ProgramPhase::Running;
  child_ = fork_child();
  HEDDLE_REQUIRE(child_ >= 0, "cannot fork");
  if (child_ == 0) serve();
  native::forward_give_up(child_);
  ask(0);
}

// Lets the child work until it is the parent's turn again, or it is dead.
void ForkedProgram::ask(int command) {
  if (command != 0) {
    shared_->command = command;
    shared_->turn = 1;
    raw_syscall(SYS_futex, word(&shared_->turn), FUTEX_WAKE, 1);
  }
  const timespec moment{.tv_sec = 0, .tv_nsec = 50'000'000};
  while (*const_cast<volatile std::uint32_t*>(&shared_->turn) == 1) {
    raw_syscall(SYS_futex, word(&shared_->turn), FUTEX_WAIT, 1, word(&moment));
    int status = 0;
    if (raw_syscall(SYS_wait4, static_cast<std::uint64_t>(child_), word(&status), WNOHANG, 0) == child_) {
      child_ = 0;
      died_ = true;
      shared_->phase = ProgramPhase::Failed;
      shared_->has_finding = true;
      shared_->finding_kind = FindingKind::Crash;
      shared_->finding_key = 0xDEADC41D;
      std::strcpy(shared_->finding_message.data(), "the process of the program died");
      break;
    }
  }
  for (std::size_t i = rt.thread_count; i < shared_->thread_count; ++i) {
    native::adopt_thread(shared_->parents[i], shared_->ordinals[i]);
  }
  finding_ = {shared_->finding_kind, shared_->finding_message.data(), shared_->finding_thread, shared_->finding_memory,
              shared_->finding_key};
  rt.refusal = shared_->refusal;
  if (rt.refusal != native::Refusal::None) rt.refusal_text = shared_->refusal_text.data();
  rt.timeouts_cut = rt.timeouts_cut || shared_->timeouts_cut;
  rt.gave_up = rt.gave_up || shared_->gave_up;
  rt.main_returned_early = rt.main_returned_early || shared_->main_returned_early;
  rt.weak_orders = rt.weak_orders || shared_->weak_orders;
}

void ForkedProgram::pass(const Finding& finding) {
  shared_->finding_kind = finding.kind;
  shared_->finding_thread = finding.thread;
  shared_->finding_memory = finding.memory;
  shared_->finding_key = finding.key;
  std::strncpy(shared_->finding_message.data(), finding.message.c_str(), shared_->finding_message.size() - 1);
}

void ForkedProgram::serve() {
  inner_.restart();
  for (;;) {
    Shared& s = *shared_;
    s.thread_count = rt.thread_count;
    for (std::size_t i = 0; i < rt.thread_count; ++i) {
      s.states[i] = (*rt.states)[i];
      s.parents[i] = rt.fibres[i]->parent;
      s.ordinals[i] = rt.fibres[i]->ordinal;
    }
    s.enabled = inner_.enabled();
    s.phase = inner_.phase();
    s.raised = inner_.raised() != nullptr;
    s.abandoned = inner_.abandoned();
    if (s.raised) pass(*inner_.raised());
    s.refusal = rt.refusal;
    std::strncpy(s.refusal_text.data(), rt.refusal_text.c_str(), s.refusal_text.size() - 1);
    s.timeouts_cut = rt.timeouts_cut;
    s.gave_up = rt.gave_up;
    s.main_returned_early = rt.main_returned_early;
    s.weak_orders = rt.weak_orders;
    s.turn = 0;
    raw_syscall(SYS_futex, word(&s.turn), FUTEX_WAKE, 1);
    while (*const_cast<volatile std::uint32_t*>(&s.turn) == 0) raw_syscall(SYS_futex, word(&s.turn), FUTEX_WAIT, 0, 0);
    switch (s.command) {
      case kStep: s.event = inner_.step(s.choice); break;
      case kRun: s.performed = inner_.run({s.prefix, s.prefix_length}); break;
      default: {
        const std::optional<Finding> finding = inner_.conclude();
        s.has_finding = finding.has_value();
        if (finding) pass(*finding);
      }
    }
  }
}

std::size_t ForkedProgram::thread_count() const { return std::max<std::size_t>(1, shared_->thread_count); }
const ThreadState& ForkedProgram::thread(ThreadId thread) const { return shared_->states[thread.value]; }
const ThreadSet& ForkedProgram::enabled() const { return died_ ? nobody_ : shared_->enabled; }
ProgramPhase ForkedProgram::phase() const { return shared_->phase; }

const Event& ForkedProgram::step(Choice choice) {
  shared_->choice = choice;
  // What is left if the process dies in the middle.
  const Operation& pending = shared_->states[choice.thread.value].pending;
  shared_->event = Event{.op = pending,
                         .announced = pending.kind,
                         .total = true,
                         .thread = choice.thread,
                         .index = ++events_[choice.thread.value],
                         .outcome = choice.outcome};
  ask(kStep);
  return shared_->event;
}

std::size_t ForkedProgram::run(std::span<const PlannedChoice> prefix) {
  if (prefix.empty() || died_) return 0;
  HEDDLE_REQUIRE(prefix.size() <= kPrefixRoom, "the schedule is too long for a forked program");
  std::copy(prefix.begin(), prefix.end(), shared_->prefix);
  shared_->prefix_length = prefix.size();
  shared_->performed = 0;
  for (const PlannedChoice& planned : prefix) ++events_[planned.choice.thread.value];
  ask(kRun);
  return shared_->performed;
}

std::optional<Finding> ForkedProgram::conclude() {
  if (!died_) ask(kConclude);
  if (!shared_->has_finding) return std::nullopt;
  return finding_;
}

const Finding* ForkedProgram::raised() const { return !died_ && shared_->raised ? &finding_ : nullptr; }
bool ForkedProgram::abandoned() const { return !died_ && shared_->abandoned; }

ThreadPath ForkedProgram::path(ThreadId thread) const {
  if (thread == kMainThread) return "0";
  return path(shared_->parents[thread.value]) + "." + std::to_string(shared_->ordinals[thread.value]);
}

std::optional<ThreadId> ForkedProgram::find(const ThreadPath& wanted) const {
  for (std::size_t i = 0; i < thread_count(); ++i) {
    const ThreadId thread{static_cast<std::uint16_t>(i)};
    if (shared_->states[i].phase != ThreadPhase::NotStarted && path(thread) == wanted) return thread;
  }
  return std::nullopt;
}

bool ForkedProgram::in_fresh_process(const std::function<void()>& body) {
  const int child = fork_child();
  if (child == 0) {
    body();
    raw_syscall(SYS_exit_group, 0);
  }
  const int serving = child_;
  native::forward_give_up(child);
  const int status = wait_for_child(child);
  native::forward_give_up(serving);
  return status == 0;
}

}  // namespace heddle
