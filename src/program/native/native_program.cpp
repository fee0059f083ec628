#include "program/native/native_program.hpp"

#include <algorithm>
#include <cfenv>

#include "base/contract.hpp"
#include "model/dependency.hpp"
#include "program/native/arena.hpp"
#include "program/native/await.hpp"
#include "program/native/exit.hpp"
#include "program/native/keys.hpp"
#include "program/native/prepared_threads.hpp"
#include "program/native/process_state.hpp"
#include "program/native/race_check.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"
#include "program/native/runtime_entry.hpp"
#include "program/native/scheduler.hpp"
#include "program/native/section.hpp"
#include "program/native/snapshot.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/sync_objects.hpp"
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
  if (event.idle) return true;
  const KindTraits& kind = traits(event.op.kind);
  const auto reads = [](AccessTrait access) { return access.object == ObjectClass::None || access.mode == Mode::Read; };
  return reads(kind.first) && reads(kind.second);
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
  heddle_clear_at_entry = rt.settings.stateful ? 1 : 0;
  prepare_awaits();
}

void NativeProgram::restart() {
  checkpoints_.execution_ended(performed_.size() - known_);
  known_ = 0;
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
  rt.main_returned = false;
  rt.exit_status = 0;
  rt.spurious_used = 0;
  rt.atomic_owner = nullptr;
  rt.replay_next = rt.replay_end = nullptr;
  rt.recording = recording_;
  if (recording_) recorder_reset(watched_);
  reset_watch();
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

void NativeProgram::reset_watch() {
  lone_reads_ = 0;
  lone_thread_ = kMainThread;
  lone_seen_.fill(0);
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
  known_ = 0;
  checkpoints_.forget();
  if (!may_go_back()) undo_log_give_up();  // saving would be in vain
}

std::size_t NativeProgram::common_with_last(std::span<const PlannedChoice> prefix, std::size_t same) const {
  const std::size_t most = std::min(prefix.size(), performed_.size());
  // The last one is looked at again in any case; all of them under --self-check.
  const std::size_t trusted = same == 0 || rt.settings.check_undo_log ? 0 : same - 1;
  std::size_t common = std::min(trusted, most);
  while (common < most && prefix[common].choice == performed_[common]) ++common;
  HEDDLE_REQUIRE(common >= std::min(same, most), "choices said to be those of the last execution are not");
  return common;
}

// The race check's state goes back to this depth, if the last execution went on from there, and all of it was found to
// be in order.
bool NativeProgram::go_back(std::size_t depth) {
  if (depth >= performed_.size() || depth >= first_stop_) return false;
  first_stop_ = kNoStop;
  undecided_ = false;
  undo_log_rewind(depth);
  performed_.resize(depth);
  known_ = depth;
  checkpoints_.forget_beyond(depth);
  return true;
}

// The program follows the race check's state to the end of a prefix that the last execution had: from a checkpoint, or
// from the beginning.
std::size_t NativeProgram::return_along(std::span<const PlannedChoice> prefix) {
  const std::optional<std::size_t> from = checkpoints_.restore(prefix.size());
  if (from) {
    put_off_ = false;
    rt.replay_next = rt.replay_end = nullptr;
    reset_watch();
    finish_step();
  } else {
    const Stopwatch watch(checkpoints_.measuring());
    start(true);
    undecided_ = false;
    checkpoints_.restarted(watch);
  }
  const Stopwatch watch(checkpoints_.measuring());
  const std::size_t performed = perform(prefix, from.value_or(0), true);
  checkpoints_.ran_prefix(performed - from.value_or(0), watch);
  if (performed == prefix.size()) {
    if (from && rt.settings.check_undo_log) compare_with_replay(prefix);
    checkpoints_.offer(prefix.size());
  }
  return performed;
}

// For tests: whether a prefix run from a checkpoint leads where it leads from the beginning.
void NativeProgram::compare_with_replay(std::span<const PlannedChoice> prefix) {
  if (!Checkpoint::possible()) return;
  Checkpoint restored;
  restored.save();
  start(true);
  undecided_ = false;
  HEDDLE_REQUIRE(perform(prefix, 0, true) == prefix.size(), "a prefix leads elsewhere than from a checkpoint");
  Checkpoint replayed;
  replayed.save();
  HEDDLE_REQUIRE(restored.same_memory(replayed), "memory differs when going back by a checkpoint");
}

// Runs a schedule, behind which the race check's state is said to stand, with all checks. Their state must then be what
// it was: if not, the program's invisible steps are not the same each time (or the undo log is at fault), and it is
// built anew from now on.
std::size_t NativeProgram::check_again(std::span<const PlannedChoice> schedule) {
  const std::uint64_t before = race_check_fingerprint() + sync_clocks_fingerprint();
  std::vector<std::uint64_t> clocks;
  for (std::size_t i = 0; i < rt.thread_count; ++i) clocks.push_back(clock_fingerprint(*rt.fibres[i]));
  start(false);
  const std::size_t performed = perform(schedule, 0, false);
  if (performed < schedule.size() || rt.phase != ProgramPhase::Running || rt.gave_up || rt.time_moved) return performed;
  bool same = before == race_check_fingerprint() + sync_clocks_fingerprint();
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    const bool started = (*rt.states)[i].phase != ThreadPhase::NotStarted;
    same = same && (!started || clocks[i] == clock_fingerprint(*rt.fibres[i]));
  }
  if (!same) {
    HEDDLE_REQUIRE(!rt.settings.check_undo_log, "the race check's state differs when an execution is run again");
    unsteady_ = true;
    note_once("the same execution run again accessed other memory: something outside Heddle's control differs");
  }
  return performed;
}

// Where there is one way to go on, no search ever comes back to.
bool NativeProgram::branches() const {
  const auto first = enabled_->first();
  return first && (enabled_->after(*first) || state_of(*first).outcomes.count > 1);
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
  if (!enabled_->contains(choice.thread) && doubts(choice.thread)) return rt.event;
  HEDDLE_REQUIRE(enabled_->contains(choice.thread), "step of a thread that is not enabled");
  if (undecided_ && !go_back(0)) start(false);
  performed_.push_back(choice);
  undo_log_step();
  Fibre& fibre = fibre_of(choice.thread);
  const bool alone = enabled_->first() == choice.thread && !enabled_->after(choice.thread);
  fibre.outcome = choice.outcome;
  chosen(fibre);
  rt.mixed_step = false;
  rt.raised = false;
  const bool forced = only_forced();
  const bool several = fibre.state->outcomes.count > 1;
  if (rt.settings.stateful) section_reset();
  resume(fibre);
  if (rt.settings.stateful) [[unlikely]] {
    section_ends_step();
    states_.stepped(fibre);
  }
  note_stop();
  finish_step();
  // What happens because nobody else can run, or uses up what all share, depends on everybody; so does a join that
  // gives up, on all that the other thread does.
  const bool gave_up_joining = rt.event.op.kind == OpKind::ThreadJoin && choice.outcome == kTimedOut;
  const bool spurious = choice.outcome == kSpurious &&
                        (rt.event.announced == OpKind::CondWake || rt.event.announced == OpKind::FutexReturn);
  rt.event.total = rt.event.total || forced || gave_up_joining || spurious;
  rt.event.several = several;
  if (rt.mixed_step) {
    rt.event.op.kind = OpKind::Unknown;
    rt.event.idle = false;
  }
  // In a search over states a loop is found where it closes.
  if (alone && !rt.settings.stateful && lone_thread_ == choice.thread && changes_nothing(rt.event) &&
      repeats(rt.event)) {
    ++lone_reads_;
    if (lone_reads_ >= rt.settings.spin_limit && rt.phase == ProgramPhase::Running) rt.phase = ProgramPhase::Failed;
  } else {
    lone_reads_ = 0;
    lone_thread_ = choice.thread;
  }
  if (can_go_back() && branches()) checkpoints_.offer(performed_.size());
  refuse_if_stateless();
  return rt.event;
}

std::size_t NativeProgram::run(std::span<const PlannedChoice> prefix) { return run_known(prefix, 0); }

std::size_t NativeProgram::rerun(std::span<const PlannedChoice> prefix, std::size_t same) {
  restart();
  return run_known(prefix, same);
}

std::size_t NativeProgram::run_known(std::span<const PlannedChoice> prefix, std::size_t same) {
  if (!undecided_) return rt.phase == ProgramPhase::Running ? perform(prefix, 0, false) : 0;
  const std::size_t common = common_with_last(prefix, same);
  // The whole last execution again: somebody wants to see whether it comes out the same.
  if (common == prefix.size() && common == performed_.size()) return check_again(prefix);
  if (!go_back(common)) {
    start(false);
    return perform(prefix, 0, false);
  }
  const std::span<const PlannedChoice> known = prefix.first(common);
  const bool look = rt.settings.check_undo_log && ++times_gone_back_ % 3 == 0;
  const std::size_t performed = look ? check_again(known) : return_along(known);
  return performed < common ? performed : perform(prefix, common, false);
}

std::size_t NativeProgram::perform(std::span<const PlannedChoice> schedule, std::size_t from, bool checked) {
  if (from == schedule.size() || rt.phase != ProgramPhase::Running) return from;
  // The first choice goes through `step`'s path; from then on the fibres pass control among themselves.
  const PlannedChoice& first = schedule[from];
  const ThreadId thread = first.choice.thread;
  if (!enabled_->contains(thread) || digest(state_of(thread).pending) != first.digest) {
    differs(from, thread);
    return from;
  }
  rt.replay_next = schedule.data() + from + 1;
  rt.replay_end = schedule.data() + schedule.size();
  Fibre& fibre = fibre_of(thread);
  fibre.outcome = first.choice.outcome;
  rt.raised = false;
  rt.replaying = true;
  rt.checked = checked;
  if (!checked) undo_log_step();
  resume(fibre);
  rt.replaying = rt.checked = false;
  const auto performed = static_cast<std::size_t>(rt.replay_next - schedule.data());
  rt.replay_next = rt.replay_end = nullptr;
  find_threads();
  finish_step();
  if (!checked) {
    // Where in the prefix a thread stopped is not known: as if it were before all of it.
    note_stop();
    for (std::size_t i = from; i < performed; ++i) performed_.push_back(schedule[i].choice);
  }
  if (performed < schedule.size() && rt.phase != ProgramPhase::Refused) {
    differs(performed, schedule[performed].choice.thread);
  }
  return performed;
}

// Whether a thread that should take a step was taken to wait in a loop: the search begins anew.
bool NativeProgram::doubts(ThreadId thread) {
  const Fibre& fibre = fibre_of(thread);
  if (fibre.state->phase != ThreadPhase::Stopped || !fibre.await.waiting) return false;
  doubt_round(fibre);
  return true;
}

void NativeProgram::differs(std::size_t performed, ThreadId wanted) {
  undo_log_give_up();  // what stands there is not what this execution did
  if (rt.phase == ProgramPhase::Revised || doubts(wanted)) return;
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    if (!rt.fibres[i]->stuck) continue;
    rt.refusal = Refusal::Limit;
    rt.refusal_text = "a thread took longer than --step-timeout for something that it did in time before";
    rt.phase = ProgramPhase::Refused;
    return;
  }
  rt.finding = {FindingKind::Nondeterminism,
                "the same choices made again led the program elsewhere, at choice " + std::to_string(performed + 1) +
                    ": it depends on something outside Heddle's control",
                rt.finding.thread, 0, 0x4E4F4E44U};
  rt.phase = ProgramPhase::Failed;
  lone_reads_ = 0;
}

std::optional<Finding> NativeProgram::conclude() {
  if (rt.phase == ProgramPhase::Failed) {
    if (const auto spinner = lone_spinner()) return spinner;
    return rt.finding;
  }
  // Who waits for a thread that failed does not wait for ever: the process ends.
  if (rt.phase != ProgramPhase::Running || !enabled_->empty() || rt.stopped) return std::nullopt;
  if (waiting(false) != nullptr) return std::nullopt;
  std::optional<ThreadId> blocked;
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const ThreadId thread{static_cast<std::uint16_t>(i)};
    if (state_of(thread).phase != ThreadPhase::Pending) continue;
    if (fibre_of(thread).stuck && !rt.main_returned) {
      return no_progress(thread, "the thread runs on and on without a visible operation, and no other thread can run");
    }
    if (!blocked) blocked = thread;
  }
  const Fibre* const spinner = waiting(true);
  if (spinner != nullptr && !rt.main_returned) return livelock(*spinner);
  // Threads that stay blocked after main returned end with the process.
  if (blocked && !rt.main_returned) return deadlock(*blocked);
  if (rt.exit_status != 0) {
    return Finding{FindingKind::AbnormalExit,
                   "main ended the program with exit status " + std::to_string(rt.exit_status), kMainThread, 0,
                   0xE5170000U + static_cast<std::uint64_t>(rt.exit_status)};
  }
  return std::nullopt;
}

// Whether the thread did the same thing, with the same result, a short while ago: a walk over many variables does not.
bool NativeProgram::repeats(const Event& event) {
  const std::uint32_t now = digest(event.op) ^ static_cast<std::uint32_t>(event.value * 0x9E3779B9U);
  if (std::find(lone_seen_.begin(), lone_seen_.end(), now) != lone_seen_.end()) return true;
  lone_seen_[lone_next_++ % lone_seen_.size()] = now;
  return false;
}

std::optional<Finding> NativeProgram::lone_spinner() const {
  if (lone_reads_ < rt.settings.spin_limit) return std::nullopt;
  return no_progress(lone_thread_, "the thread has changed nothing for " + std::to_string(lone_reads_) +
                                       " operations in a row, and no other thread can run");
}

// The first thread that waits in a loop: for ever, or although what it waits for has changed.
const Fibre* NativeProgram::waiting(bool for_ever) const {
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const Fibre& fibre = *rt.fibres[i];
    const bool waits = (*rt.states)[i].phase == ThreadPhase::Stopped && fibre.await.waiting;
    if (waits && waits_in_vain(fibre) != for_ever) return &fibre;
  }
  return nullptr;
}

Finding NativeProgram::livelock(const Fibre& spinner) const {
  return {FindingKind::Livelock,
          "the thread waits in a loop for something that no thread is going to change: the loop never ends", spinner.id,
          0, 0x4C697665U ^ spinner.state->pending.site * 0x9E3779B97F4A7C15U};
}

Finding NativeProgram::no_progress(ThreadId thread, std::string message) const {
  return {FindingKind::NoProgress, std::move(message), thread, 0, 0x4E6F5072U};
}

Finding NativeProgram::deadlock(ThreadId blocked) const {
  Finding finding{FindingKind::Deadlock, "no thread can run", blocked, 0, 0xDEAD};
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    const ThreadState& state = (*rt.states)[i];
    if (state.phase != ThreadPhase::Pending) continue;
    finding.key = (finding.key ^ state.pending.site) * 0x9E3779B97F4A7C15U;
  }
  return finding;
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
