#include "program/native/runtime.hpp"
#include "program/native/exit.hpp"
#include "program/native/foreign_code.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <vector>

#include "base/contract.hpp"
#include "program/native/await.hpp"
#include "program/native/heap_objects.hpp"
#include "program/native/layout.hpp"
#include "program/native/outcomes.hpp"
#include "program/native/prepared_threads.hpp"
#include "program/native/private_stacks.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/scheduler.hpp"
#include "program/native/section.hpp"
#include "program/native/shared_stacks.hpp"
#include "program/native/stack_check.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/thread_end.hpp"
#include "program/native/thread_handles.hpp"
#include "program/native/tls.hpp"
#include "program/native/undo_log.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

namespace heddle::native {

constinit Runtime rt;

namespace {

// Which thread has which number, for processes that search together; in memory that they share.
struct SharedNumbers {
  struct Thread {
    std::uint16_t parent;
    std::uint32_t ordinal;
  };
  std::uint32_t lock;
  std::uint32_t count;  // main included
  std::array<Thread, kMaxThreads> threads;
};

struct Naming {
  // children[p][k]: number of the thread that thread p creates as its (k+1)-th. Kept over all executions, so that a
  // thread has the same number in each, whatever the order of creations.
  std::array<std::vector<std::uint16_t>, kMaxThreads> children;
  std::vector<std::string> notes;
  SharedNumbers* shared = nullptr;
};
Naming naming;

void leave_program() noexcept {
  rt.inside = false;
  *rt.selector = 0;
}

// The fibre whose turn it is in the prefix being replayed; null when the prefix does not fit the program any more.
Fibre* next_in_prefix() {
  const PlannedChoice& planned = *rt.replay_next;
  const ThreadId thread = planned.choice.thread;
  if (thread.value >= rt.thread_count) return nullptr;
  Fibre& fibre = fibre_of(thread);
  if (fibre.state->phase != ThreadPhase::Pending) return nullptr;
  const Operation& pending = fibre.state->pending;
  if (digest(pending) != planned.digest) return nullptr;
  if (varies(pending.kind) && !(planned.choice.outcome == kUsual && is_free_mutex(pending))) {
    const Outcomes outcomes = outcomes_of(fibre, pending, true);
    if (planned.choice.outcome < outcomes.first || planned.choice.outcome >= outcomes.end()) return nullptr;
  }
  ++rt.replay_next;
  if (!rt.checked) undo_log_step();
  *rt.heartbeat = *rt.heartbeat + 1;
  fibre.outcome = planned.choice.outcome;
  return &fibre;
}

// Whether the search may run on this stack: the thread has ended its step in good order, and it is the thread's own
// stack, with room. (Programs make stacks themselves, too, and small ones.)
bool may_ask_from(const Fibre& fibre) {
  constexpr std::uint64_t kRoom = 0x1'0000;
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  return !rt.stopped && !fibre.stuck && fibre.state->phase != ThreadPhase::Stopped && here < fibre.stack_high &&
         here >= fibre.stack_low + kRoom;
}

// The fibre that takes the next step, if that is known on this side.
Fibre* next_fibre(const Fibre& fibre) {
  if (rt.replay_next != rt.replay_end) return next_in_prefix();
  return rt.dispatcher != nullptr && may_ask_from(fibre) ? rt.dispatcher->next_fibre() : nullptr;
}

// The operation chosen begins its event. Field by field, for the reason given at `reach`.
void start_event(const Fibre& fibre) {
  const Operation& op = fibre.state->pending;
  Event& event = rt.event;
  event.op.kind = op.kind;
  event.op.order = op.order;
  event.op.plain = op.plain;
  event.op.timed = op.timed;
  event.op.size = op.size;
  event.op.object = op.object;
  event.op.second = op.second;
  event.op.site = op.site;
  event.announced = op.kind;
  event.total = false;
  event.thread = fibre.id;
  event.index = fibre.events;
  event.outcome = fibre.outcome;
  event.woken = event.before = event.value = 0;
  event.idle = event.cancelled = false;
}

// The creator of a thread that has got as far as it should: the stack to go on with. Not inlined: its registers would
// be saved with those of the thread, which are part of its state.
__attribute__((noinline)) void* enter_starter(Fibre& fibre) {
  Fibre& starter = *fibre.starter;
  fibre.starter = nullptr;
  enter(starter);
  return starter.stack_pointer;
}

// Leaves a fibre that waits at an operation (or has ended), for whoever is next. Inlined: see switch_stack. Where it
// goes to is looked up last, and so in no register that is saved on this stack: it is no part of the thread's state.
__attribute__((always_inline)) inline void hand_over(Fibre& fibre) {
  void* to = nullptr;
  if (fibre.starter != nullptr) {
    to = enter_starter(fibre);
  } else {
    Fibre* next = next_fibre(fibre);
    if (next == &fibre) return;
    if (next != nullptr) {
      enter(*next);
      to = next->stack_pointer;
    } else {
      leave_program();
      to = rt.scheduler_stack;
    }
  }
  switch_stack(&fibre.stack_pointer, to);
}

void fibre_main() {
  Fibre& fibre = *rt.current;
  clear_before_call();
  fibre.result = fibre.start(fibre.argument);
  end_thread();
}

std::uint64_t stack_slot(ThreadId thread) { return kStacks + thread.value * kStackSlot; }

Fibre& fibre_for(ThreadId id) {
  Fibre*& fibre = rt.fibres[id.value];
  if (fibre == nullptr) {
    // One behind the other, and stacks of different heights: objects at the same offset of many pages would compete for
    // the same lines of the cache. At a fixed place: see layout.hpp.
    if (id == kMainThread) HEDDLE_REQUIRE(reserve(kThreads, kMaxThreads * sizeof(Fibre)), "no room for threads");
    fibre = new (reinterpret_cast<Fibre*>(kThreads) + id.value) Fibre;
    fibre->id = id;
    fibre->state = &state_of(id);
    // Everything below the usable part of the slot stays inaccessible: the guard.
    raw_syscall(SYS_mprotect, stack_slot(id), kStackSlot - kStackSize, PROT_NONE);
    fibre->stack_high = stack_slot(id) + kStackSlot - id.value % 8 * 576;
    fibre->stack_low = fibre->stack_high - kStackSize;
  }
  return *fibre;
}

// Inside an atomic section the thread goes on by itself, unless it cannot. In a search over states a creation is the
// first of its step: it is told by the event. Exit handlers of the last thread always do.
[[gnu::cold, gnu::noinline]] bool can_go_on(const Fibre& fibre) {
  const Operation& pending = fibre.state->pending;
  return rt.closing || (outcomes_of(fibre, pending) == Outcomes{kUsual, 1} &&
                        !(rt.settings.stateful && pending.kind == OpKind::ThreadCreate));
}

[[gnu::cold, gnu::noinline]] void go_on(Fibre& fibre) {
  if (rt.closing) {
    fibre.outcome = outcome_at_exit(fibre);
    return;
  }
  fibre.outcome = kUsual;
  rt.mixed_step = true;
  if (!rt.settings.stateful) return;
  section_goes_on();
  start_event(fibre);
}

}  // namespace

Outcome reach_announced() {
  Fibre& fibre = *rt.current;
  ThreadState& state = *fibre.state;
  const bool goes_on = fibre.atomic_depth > 0 && can_go_on(fibre);
  if (rt.settings.stateful) note_stack_access(fibre, state.pending.object);
  if (rt.settings.ends_depend) learn_stack_access(state.pending.object);
  if (rt.settings.visible_all && rt.settings.reduced) learn_heap_objects(state.pending);
  if (!goes_on) {
    await_announced(fibre);
    state.phase = ThreadPhase::Pending;
    if (!rt.replaying) {
      if (rt.settings.reduced && called_from_foreign_library(state.pending.site)) refuse_reduction(state.pending.site);
      announced(fibre);
    }
    if (rt.recording) record_stack(fibre);
    hand_over(fibre);
    if (fibre.atomic_depth > 0) rt.atomic_owner = &fibre;
    if (rt.recording) record_performed(fibre);
    ++fibre.events;
    // Nobody looks at the events of a prefix that is being replayed.
    if (!rt.replaying) start_event(fibre);
  } else {
    go_on(fibre);
  }
  await_performs(fibre.await, goes_on);
  rt.unwatched = false;
  fibre.timed = false;
  fibre.idle_calls = 0;
  return fibre.outcome;
}

namespace {

// Leaves the current fibre for ever; the others run on.
[[noreturn]] void stop_thread() {
  Fibre& fibre = *rt.current;
  rt.stopped = true;
  if (rt.closing) exit_handlers_end();
  abandon_section();
  state_of(fibre.id) = ThreadState{ThreadPhase::Stopped, {}, {}};
  // Its creator may be waiting for it to get this far.
  rt.inside = true;
  *rt.selector = 1;
  hand_over(fibre);
  __builtin_unreachable();
}

}  // namespace

void fail(FindingKind kind, std::string message, std::uint64_t site) {
  OutsideProgram outside;
  if (rt.recording) record_failure_stack();
  rt.finding.kind = kind;
  rt.finding.message = std::move(message);
  rt.finding.thread = rt.current->id;
  rt.finding.memory = rt.fault_address;
  rt.finding.key = (static_cast<std::uint64_t>(kind) + 1) * 0x9E3779B97F4A7C15U ^ site;
  rt.fault_address = 0;
  rt.raised = true;
  stop_thread();
}

void abandon() {
  rt.abandoned = true;
  stop_thread();
}

void refuse(Refusal refusal, std::string sentence) {
  OutsideProgram outside;
  if (rt.recording) record_failure_stack();
  rt.refusal = refusal;
  rt.refusal_text = std::move(sentence);
  rt.phase = ProgramPhase::Refused;
  leave_fibre();
}

void leave_fibre() {
  leave_program();
  switch_stack(&rt.current->stack_pointer, rt.scheduler_stack);
  __builtin_unreachable();
}

void give_up(std::uint64_t site) {
  Fibre& fibre = *rt.current;
  fibre.stuck = true;
  rt.gave_up = true;
  ThreadState& state = state_of(fibre.id);
  state.phase = ThreadPhase::Pending;
  state.pending = Operation{.kind = OpKind::Unknown, .site = site};
  state.outcomes = {};
  // Its creator may be waiting for it to get this far.
  rt.inside = true;
  *rt.selector = 1;
  hand_over(fibre);
  __builtin_unreachable();
}

void stand_still() {
  Fibre& fibre = *rt.current;
  fibre.state->phase = ThreadPhase::Stopped;
  hand_over(fibre);
  __builtin_unreachable();
}

void finish_thread() {
  stack_ends();
  close_section();
  Fibre& fibre = *rt.current;
  state_of(fibre.id).phase = ThreadPhase::Finished;
  joins_at_once(fibre.id);
  hand_over(fibre);
  // Only a replayed prefix that names an ended thread could come back here, and next_in_prefix refuses that.
  HEDDLE_REQUIRE(false, "an ended thread was resumed");
  __builtin_unreachable();
}

void note_once(const std::string& sentence) {
  OutsideProgram outside;
  if (std::find(naming.notes.begin(), naming.notes.end(), sentence) == naming.notes.end()) {
    naming.notes.push_back(sentence);
  }
}

std::span<const std::string> notes() { return naming.notes; }

void prepare_main_thread() {
  fibre_for(kMainThread);
  rt.thread_count = 1;
}

void adopt_thread(ThreadId parent, std::uint32_t ordinal) {
  const ThreadId id{static_cast<std::uint16_t>(rt.thread_count)};
  Fibre& fibre = fibre_for(id);
  fibre.parent = parent;
  fibre.ordinal = ordinal;
  (*rt.states)[id.value] = {};
  ++rt.thread_count;
  undo_log_give_up();  // clocks saved so far have no component for it
  naming.children[parent.value].push_back(id.value);
}

void give_stack(Fibre& fibre, std::uint64_t size) {
  const std::uint64_t most = kStackSlot - 2 * kPage - 8 * 576;
  if (size > most) {
    refuse(Refusal::Unsupported, "the program asks for a thread stack of " + std::to_string(size >> 20U) +
                                     " MiB: more than the " + std::to_string(most >> 20U) +
                                     " that Heddle has room for");
  }
  const std::uint64_t low = (fibre.stack_high - size) & ~(kPage - 1);
  if (low >= fibre.stack_low) return;
  raw_syscall(SYS_mprotect, low, fibre.stack_low - low, PROT_READ | PROT_WRITE);
  fibre.stack_low = low;
}

namespace {

// Learns of the threads that other processes have met, and tells them of the next child of this one if it is new.
void agree_on_child(const Fibre& parent) {
  SharedNumbers& shared = *naming.shared;
  const std::atomic_ref lock(shared.lock);
  while (lock.exchange(1, std::memory_order_acquire) != 0) raw_syscall(SYS_sched_yield);
  // Those read from a checkpoint were adopted by all processes before they were more than one, and told to nobody.
  for (; shared.count < rt.thread_count; ++shared.count) {
    const Fibre& known = *rt.fibres[shared.count];
    shared.threads[shared.count] = {known.parent.value, known.ordinal};
  }
  const auto adopt_others = [&] {
    while (rt.thread_count < shared.count) {
      const SharedNumbers::Thread& thread = shared.threads[rt.thread_count];
      adopt_thread(ThreadId{thread.parent}, thread.ordinal);
    }
  };
  adopt_others();
  if (parent.children >= naming.children[parent.id.value].size()) {
    HEDDLE_REQUIRE(shared.count < kMaxThreads, "processes that search together have met too many threads");
    shared.threads[shared.count++] = {parent.id.value, parent.children + 1};
    adopt_others();
  }
  lock.store(0, std::memory_order_release);
}

}  // namespace

void prepare_threads() {
  for (std::uint16_t i = 1; i < kMaxThreads; ++i) {
    fibre_for(ThreadId{i}).tls_base = tls_fresh_block(i);
  }
  const long at = raw_syscall(SYS_mmap, 0, sizeof(SharedNumbers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                              ~std::uint64_t{0}, 0);
  HEDDLE_REQUIRE(at > 0, "cannot map memory for the numbers of threads");
  naming.shared = reinterpret_cast<SharedNumbers*>(at);
  naming.shared->count = static_cast<std::uint32_t>(rt.thread_count);
}

ThreadId next_child(const Fibre& parent) {
  std::vector<std::uint16_t>& children = naming.children[parent.id.value];
  if (parent.children < children.size()) return ThreadId{children[parent.children]};
  if (rt.thread_count >= kMaxThreads) {
    refuse(Refusal::Unsupported, "the program creates more than " + std::to_string(kMaxThreads) +
                                     " threads in all: Heddle can tell no more apart");
  }
  OutsideProgram outside;
  if (naming.shared != nullptr) {
    agree_on_child(parent);
  } else {
    adopt_thread(parent.id, parent.children + 1);
  }
  return ThreadId{children[parent.children]};
}

Fibre& start_fibre(Fibre* parent, void* (*start)(void*), void* argument, std::uint64_t site) {
  const ThreadId id = parent != nullptr ? next_child(*parent) : kMainThread;
  Fibre& fibre = fibre_for(id);
  fibre.starter = nullptr;
  fibre.start = start;
  fibre.argument = argument;
  fibre.result = nullptr;
  fibre.children = 0;
  fibre.detached = fibre.joined = fibre.stuck = fibre.timed = fibre.signalled = fibre.woken_alone = false;
  fibre.unwind_exception = {};
  fibre.create_site = site;
  fibre.called_from = 0;
  fibre.events = fibre.timeouts = fibre.atomic_depth = 0;
  fibre.unchecked_reads = fibre.unchecked_writes = 0;
  fibre.random_draws = fibre.idle_calls = 0;
  fibre.sleep = Sleep::None;
  start_await_watch(fibre.await);
  fibre.held.clear();
  fibre.tls_destructors.clear();
  std::fill(fibre.key_values.begin(), fibre.key_values.end(), nullptr);
  fibre.cleanup_buffers.clear();
  if (parent != nullptr) {
    fibre.parent = parent->id;
    fibre.ordinal = ++parent->children;
    fibre.time = parent->time;
    fibre.tls_base = tls_fresh_block(id.value);
  } else {
    fibre.time = 0;
    fibre.key_values = main_before_main().key_values;
    if (fibre.tls_base == 0) fibre.tls_base = tls_current_base();
  }
  start_clock(fibre, parent);
  fibre.stack_pointer = prepare_stack(reinterpret_cast<void*>(fibre.stack_high), fibre_main);
  fibre.state->phase = ThreadPhase::NotStarted;
  return fibre;
}

}  // namespace heddle::native
