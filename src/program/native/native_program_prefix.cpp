// How the native back-end gets to the end of a prefix: from the beginning, or, if the last execution had it, too, by a
// checkpoint and with the race check's state taken back (docs/adr/0005-checkpoints.md).
#include <algorithm>

#include "base/contract.hpp"
#include "program/native/await.hpp"
#include "program/native/native_program.hpp"
#include "program/native/race_check.hpp"
#include "program/native/runtime.hpp"
#include "program/native/scheduler.hpp"
#include "program/native/sync_clocks.hpp"
#include "program/native/undo_log.hpp"

namespace heddle::native {

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
  rt.joining = nullptr;
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
  joins_alone_ = 0;
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
    stacks_put_back();
    finish_step();
  } else {
    const Stopwatch watch(checkpoints_.measuring());
    start(true);
    undecided_ = false;
    checkpoints_.restarted(watch);
  }
  std::size_t begin = from.value_or(0);
  if (const std::optional<std::size_t> wanted = checkpoints_.wanted_between(begin, prefix.size())) {
    begin = perform(prefix.first(*wanted), begin, true);
    if (begin < *wanted) return begin;
    checkpoints_.keep(*wanted);
  }
  const Stopwatch watch(checkpoints_.measuring());
  const std::size_t performed = perform(prefix, begin, true);
  checkpoints_.ran_prefix(performed - begin, watch);
  if (performed == prefix.size() && from && rt.settings.check_undo_log) compare_with_replay(prefix);
  return performed;
}

// For tests: whether a prefix run from a checkpoint leads where it leads from the beginning.
void NativeProgram::compare_with_replay(std::span<const PlannedChoice> prefix) {
  const std::optional<std::size_t> room = Checkpoint::room();
  if (!room) return;
  Checkpoint restored;
  restored.save(*room);
  start(true);
  undecided_ = false;
  HEDDLE_REQUIRE(perform(prefix, 0, true) == prefix.size(), "a prefix leads elsewhere than from a checkpoint");
  const std::optional<std::size_t> room_again = Checkpoint::room();
  HEDDLE_REQUIRE(room_again, "a state that could be kept behind a checkpoint cannot be kept when it is replayed");
  Checkpoint replayed;
  replayed.save(*room_again);
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

}  // namespace heddle::native
