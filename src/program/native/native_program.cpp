#include "program/native/native_program.hpp"

#include <algorithm>
#include <cfenv>

#include "base/contract.hpp"
#include "model/dependency.hpp"
#include "program/native/arena.hpp"
#include "program/native/await.hpp"
#include "program/native/dead_stack.hpp"
#include "program/native/exit.hpp"
#include "program/native/keys.hpp"
#include "program/native/prepared_threads.hpp"
#include "program/native/private_stacks.hpp"
#include "program/native/process_state.hpp"
#include "program/native/race_check.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/scheduler.hpp"
#include "program/native/section.hpp"
#include "program/native/snapshot.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/undo_log.hpp"

namespace heddle::native {
namespace {

EntryPoint program_entry;

void* call_main(void*) {
  if (program_entry.function != nullptr) {
    program_entry.function(program_entry.context);
    end_of_function();
  }
  const int status = program_entry.main(program_entry.argc, program_entry.argv, program_entry.environment);
  end_of_main(status, 0);
}

bool changes_nothing(const Event& event) {
  if (event.op.kind == OpKind::Choose) return false;  // it may choose otherwise next time
  return event.idle || kind_only_reads(event.op.kind);
}

}  // namespace

NativeProgram::NativeProgram(EntryPoint entry, volatile std::uint64_t& heartbeat) {
  rt.heartbeat = &heartbeat;
  program_entry = entry;
  prepare_main_thread();
  checkpoints_.use(rt.settings.backtrack);
  // Rather now than copying as little as possible.
  if (rt.settings.backtrack == Backtrack::Restore || rt.settings.stateful) settle_pages();
  if (rt.settings.stateful) prepare_threads();
  prepare_awaits();
  prepare_private_stacks();
}

void NativeProgram::restart() {
  checkpoints_.execution_ended(performed_.size() - known_ - joins_alone_);
  known_ = joins_alone_ = 0;
  if (can_go_back() && may_go_back() && first_stop_ != 0 && rt.phase != ProgramPhase::Revised) {
    undecided_ = put_off_ = true;
  } else {
    start(false);
  }
}

void NativeProgram::settle() const {
  // The program is a part of the process, not of this object: to who asks it has been there all the time.
  if (put_off_) [[unlikely]]
    const_cast<NativeProgram*>(this)->start(true);
}

// Time that threads pass on to each other is kept with their clocks: where it moves, these are built anew each time.
bool NativeProgram::may_go_back() const { return !recording_ && !rt.time_moved && !unsteady_ && !rt.settings.stateful; }

void NativeProgram::start(bool checked) {
  put_off_ = false;
  restore_snapshot();
  process_state_reset();
  arena_reset();
  if (!checked) {
    reset_checks();
    first_stop_ = kNoStop;
  }
  undecided_ = rt.checked = checked;
  keys_reset();
  start_awaits();
  forget_threads();
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    (*rt.states)[i].phase = ThreadPhase::NotStarted;
    rt.fibres[i]->sleep = Sleep::None;
  }
  rt.phase = ProgramPhase::Running;
  rt.raised = rt.stopped = rt.abandoned = false;
  rt.main_returned = rt.exited = rt.closing = rt.unwatched = false;
  rt.exit_status = 0;
  rt.spurious_used = 0;
  rt.atomic_owner = rt.joining = nullptr;
  rt.open_sections = 0;
  rt.replay_next = rt.replay_end = nullptr;
  rt.recording = recording_;
  if (recording_) recorder_reset(watched_);
  reset_watch();
  stacks_put_back();
  if (rt.settings.stateful) {
    states_.moved();
    std::feclearexcept(FE_ALL_EXCEPT);  // main would have those that the search has raised in its state
  }
  Fibre& main = start_fibre(nullptr, call_main, nullptr, 0);
  resume(main);
  if (rt.settings.stateful) states_.stepped(main);
  rt.checked = false;
  note_stop();
  finish_step();
  refuse_if_stateless();
}

void NativeProgram::stacks_put_back() const {
  if (heddle_clear_at_entry == 0 || rt.settings.stateful) return;  // NativeStates has an eye on them itself
  for (std::size_t i = 0; i < rt.thread_count; ++i) clear_dead_stack(*rt.fibres[i]);
}

void NativeProgram::reset_watch() {
  lone_reads_ = 0;
  lone_thread_ = kMainThread;
  lone_next_ = 0;
}

// A check may have stopped a thread, which without checks would run on: there is no skipping them from then on.
void NativeProgram::note_stop() {
  if (rt.stopped && first_stop_ == kNoStop) first_stop_ = performed_.size();
}

void NativeProgram::reset_checks() {
  const bool numbers_again = undo_log_reset();
  sync_clocks_reset(numbers_again);
  race_check_reset(numbers_again);
  performed_.clear();
  known_ = joins_alone_ = 0;
  checkpoints_.forget();
  if (!may_go_back()) undo_log_give_up();  // saving would be in vain
}

// Where there is one way to go on, no search ever comes back to.
bool NativeProgram::branches() const {
  if (enabled_->has_several()) return true;
  const auto only = enabled_->first();
  return only && state_of(*only).outcomes.count > 1;
}

void NativeProgram::finish_step() {
  *rt.heartbeat = *rt.heartbeat + 1;
  enabled_ = &refresh_enabled();
}

std::size_t NativeProgram::thread_count() const { return rt.thread_count; }

const ThreadState& NativeProgram::thread(ThreadId thread) const {
  settle();
  return state_of(thread);
}

bool NativeProgram::all_ended() const {
  settle();
  const auto end = rt.states->begin() + static_cast<std::ptrdiff_t>(rt.thread_count);
  return std::all_of(rt.states->begin(), end, [](const ThreadState& state) {
    return state.phase == ThreadPhase::Finished || state.phase == ThreadPhase::NotStarted;
  });
}

const ThreadSet& NativeProgram::enabled() const {
  settle();
  return *enabled_;
}

ProgramPhase NativeProgram::phase() const {
  settle();
  return rt.phase;
}

const Finding* NativeProgram::raised() const {
  settle();
  return rt.raised ? &rt.finding : nullptr;
}

bool NativeProgram::abandoned() const {
  settle();
  return rt.abandoned || (enabled_->empty() && !rt.stopped && waiting(false) != nullptr);
}

const Event& NativeProgram::step(Choice choice) {
  settle();
  if (!begin_step(choice)) return rt.event;
  Fibre& fibre = fibre_of(choice.thread);
  if (rt.settings.stateful) section_reset();
  resume(fibre);
  if (rt.settings.stateful) [[unlikely]] {
    section_ends_step();
    states_.stepped(fibre);
  }
  if (!ended_) end_step();
  if (wants_checkpoint()) checkpoints_.offer(performed_.size());
  refuse_if_stateless();
  return rt.event;
}

const Event* NativeProgram::drive(Choice choice, Driver& driver) {
  driver_ = &driver;
  calculates_ = driver.calculates();
  // Where stacks are compared nothing of the search is to be left on them.
  if (heddle_clear_at_entry == 0 && !recording_) rt.dispatcher = this;
  const Event& event = step(choice);
  rt.dispatcher = nullptr;
  return told_ ? nullptr : &event;
}

Fibre* NativeProgram::next_fibre() {
  const OutsideProgram outside;
  if (joins_next()) return rt.current;
  const OwnArithmetic arithmetic(calculates_);
  end_step();
  // A checkpoint holds what stands on the stacks, this one's included.
  if (rt.phase != ProgramPhase::Running || wants_checkpoint()) return nullptr;
  Choice next;
  const bool goes_on = driver_->next(rt.event, next);
  told_ = true;
  return goes_on && begin_step(next) ? &fibre_of(next.thread) : nullptr;
}

bool NativeProgram::joins_next() {
  Fibre& fibre = *rt.current;
  const ThreadState& state = *fibre.state;
  if (rt.event.op.kind != OpKind::ThreadJoin || state.pending.kind != OpKind::ThreadJoin) return false;
  if (state.phase != ThreadPhase::Pending || fibre.id != step_.thread || !only_settled(fibre)) return false;
  // Of what changes with a step, the rest is as it was: nobody else was enabled before either.
  if (!step_.alone || step_.forced || step_.several || step_.outcome != kUsual) return false;
  if (rt.event.total || rt.mixed_step || rt.open_sections > 0 || rt.phase != ProgramPhase::Running) return false;
  rt.event.several = false;
  if (!driver_->joins_next(rt.event, state.pending)) return false;
  joined_alone(fibre);
  lone_reads_ = 0;
  lone_thread_ = fibre.id;
  fibre.outcome = kUsual;
  chosen(fibre);
  rt.joining = &fibre;
  return true;
}

void NativeProgram::joined_alone(const Fibre& fibre) {
  *rt.heartbeat = *rt.heartbeat + 1;
  performed_.push_back({fibre.id, kUsual});
  undo_log_step();
  ++joins_alone_;
}

// What announcing the join and asking about it would come to. Nothing but the thread's own invisible doings lies
// between the join before, which the event is still of, and this one.
bool NativeProgram::joins_on(const Fibre& other, std::uint64_t site) {
  Fibre& fibre = *rt.current;
  Event& event = rt.event;
  // From the same place: what there is to say about code at that site has been said.
  if (event.op.site != (fibre.called_from == 0 ? site : fibre.called_from)) return false;
  if (other.state->phase != ThreadPhase::Finished || fibre.timed || cancel_due(fibre)) return false;
  if (!scheduler_sets.varying.empty() || !scheduler_sets.settled.empty()) return false;
  if (event.total || rt.mixed_step || rt.open_sections > 0 || rt.phase != ProgramPhase::Running) return false;
  Operation& pending = fibre.state->pending;
  pending.second = other.id.value;
  const OutsideProgram outside;
  if (!driver_->joins_next(event, pending)) return false;
  joined_alone(fibre);
  event.op.second = other.id.value;
  event.index = ++fibre.events;
  await_performs(fibre.await, false);
  rt.unwatched = false;
  fibre.idle_calls = 0;
  return true;
}

bool NativeProgram::begin_step(Choice choice) {
  if (!enabled_->contains(choice.thread) && doubts(choice.thread)) return false;
  HEDDLE_REQUIRE(enabled_->contains(choice.thread), "step of a thread that is not enabled");
  if (undecided_ && !go_back(0)) start(false);
  performed_.push_back(choice);
  undo_log_step();
  Fibre& fibre = fibre_of(choice.thread);
  step_ = {
      choice.thread,       choice.outcome, !enabled_->has_several(), only_forced(), fibre.state->outcomes.count > 1,
      rt.open_sections > 0};
  fibre.outcome = choice.outcome;
  chosen(fibre);
  rt.mixed_step = false;
  rt.raised = false;
  rt.joining = nullptr;
  ended_ = told_ = false;
  return true;
}

void NativeProgram::end_step() {
  ended_ = true;
  note_stop();
  finish_step();
  // What happens because nobody else can run, or uses up what all share, depends on everybody.
  const bool spurious = step_.outcome == kSpurious &&
                        (rt.event.announced == OpKind::CondWake || rt.event.announced == OpKind::FutexReturn);
  // Whether somebody who waits in the middle of a section can go on decides whether others can.
  const bool in_section = step_.in_section || rt.open_sections > 0;
  rt.event.total = rt.event.total || step_.forced || spurious || in_section;
  rt.event.several = step_.several;
  if (rt.mixed_step) {
    rt.event.op.kind = OpKind::Unknown;
    rt.event.idle = false;
  }
  // In a search over states a loop is found where it closes.
  if (step_.alone && !rt.settings.stateful && lone_thread_ == step_.thread && changes_nothing(rt.event) &&
      repeats(rt.event)) {
    ++lone_reads_;
    if (lone_reads_ >= rt.settings.spin_limit && rt.phase == ProgramPhase::Running) end_lone_spin();
  } else {
    lone_reads_ = 0;
    lone_thread_ = step_.thread;
  }
}

bool NativeProgram::wants_checkpoint() const {
  return checkpoints_.due(performed_.size()) && can_go_back() && branches();
}

ThreadPath NativeProgram::path(ThreadId thread) const {
  if (thread == kMainThread) return "0";
  const Fibre& fibre = fibre_of(thread);
  return path(fibre.parent) + "." + std::to_string(fibre.ordinal);
}

std::optional<ThreadId> NativeProgram::find(const ThreadPath& wanted) const {
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const ThreadId thread{static_cast<std::uint16_t>(i)};
    if (state_of(thread).phase != ThreadPhase::NotStarted && path(thread) == wanted) return thread;
  }
  return std::nullopt;
}

std::span<const ObjectAccess> NativeProgram::section() const { return section_accesses(); }

bool NativeProgram::keeps_states() const { return rt.settings.stateful; }

void NativeProgram::restore(StateHandle state) {
  put_off_ = undecided_ = false;
  states_.restore(state);
  rt.replay_next = rt.replay_end = nullptr;
  performed_.clear();
  reset_watch();
  finish_step();
}

// A state that cannot be kept ends a search over states.
void NativeProgram::refuse_if_stateless() {
  if (!rt.settings.stateful || rt.phase != ProgramPhase::Running || Checkpoint::possible()) return;
  rt.refusal = Refusal::Unsupported;
  rt.refusal_text =
      "the program has files or mappings open, reads its standard input, or loads libraries: such a state cannot be "
      "kept, so a search over states cannot be had for it";
  rt.phase = ProgramPhase::Refused;
}

void NativeProgram::record(bool on, std::uint64_t watched) {
  recording_ = on;
  watched_ = watched;
}

}  // namespace heddle::native
