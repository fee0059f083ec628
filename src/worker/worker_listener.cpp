#include "worker/worker_listener.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "explore/minimise.hpp"
#include "explore/nearest_passing.hpp"
#include "program/native/arena.hpp"
#include "program/native/runtime.hpp"
#include "worker/known_program.hpp"
#include "worker/report_finding.hpp"
#include "worker/search_messages.hpp"

namespace heddle {
namespace {

using native::rt;
using nlohmann::json;

constexpr int kMostLeaks = 10;
constexpr std::chrono::seconds kLongestMinimising{2};
constexpr std::chrono::seconds kLongestComparing{1};

// What the coverage statement says is about the search, not about executions that were run to explain a finding.
class FlagsKept {
 public:
  FlagsKept() = default;
  ~FlagsKept() {
    rt.timeouts_cut = timeouts_cut_;
    rt.gave_up = gave_up_;
    rt.main_returned_early = main_returned_early_;
    rt.weak_orders = weak_orders_;
  }
  FlagsKept(const FlagsKept&) = delete;
  FlagsKept& operator=(const FlagsKept&) = delete;

 private:
  bool timeouts_cut_ = rt.timeouts_cut;
  bool gave_up_ = rt.gave_up;
  bool main_returned_early_ = rt.main_returned_early;
  bool weak_orders_ = rt.weak_orders;
};

}  // namespace

WorkerListener::WorkerListener(const Channel& channel, Board& board, native::NativeProgram& program,
                               ForkedProgram* forked, const WorkerConfiguration& configuration,
                               const Beginning& beginning)
    : channel_(channel),
      board_(board),
      program_(program),
      forked_(forked),
      minimises_(configuration.minimise),
      checkpoints_(configuration.checkpoints),
      beginning_(beginning) {}

void WorkerListener::execution_ended(const Statistics& so_far) {
  board_.statistics = so_far;
  if (board_.interrupt != 0) search_.interrupt();
  // Summing up all samples costs more than an execution; once in a while is enough.
  if (so_far.executions >= next_estimate_) {
    next_estimate_ = so_far.executions + so_far.executions / 4 + 1;
    const std::optional<Estimate> estimate = search_.estimate(so_far.executions);
    board_.estimate = estimate ? estimate->executions : 0;
    board_.estimate_error = estimate ? (estimate->rough() ? 1 : estimate->relative_error) : 0;
  }
  if (forked_ == nullptr && rt.phase == ProgramPhase::Running && !rt.stopped) look_for_leak();
}

void WorkerListener::checkpoint(std::string_view state) {
  if (!checkpoints_ && board_.interrupt == 0) return;
  checkpoint_ = board_.checkpoint;
  Archive written;
  HEDDLE_REQUIRE(archive(written), "where the search stands cannot be written down");
  const std::array<std::string_view, 2> parts{written.written(), state};
  channel_.send({{"type", "checkpoint"}, {"statistics", to_message(board_.statistics)}}, parts);
}

bool WorkerListener::archive(Archive& archive) {
  if (!archive_known_program(archive, beginning_.modules)) return false;
  archive(reported_);
  archive(findings_);
  archive(leaks_);
  if (executed_ != nullptr) executed_->archive(archive);
  return archive.sound();
}

void WorkerListener::found(const Finding& finding, std::span<const PlannedChoice> schedule) {
  // A search that begins anew finds again what it had found.
  if (std::find(reported_.begin(), reported_.end(), finding.key) != reported_.end()) return;
  reported_.push_back(finding.key);
  const bool repeatable = finding.kind != FindingKind::Nondeterminism;
  board_.again = finding.kind == FindingKind::NoProgress ? 1 : 0;
  send_description({{"type", "finding"}}, finding, schedule, repeatable);
  // What follows runs the program further: if that ends badly, the finding is safe.
  if (repeatable && executed_ != nullptr) {
    const FlagsKept kept;
    executed_->explain(true);
    explain(finding, {schedule.begin(), schedule.end()});
    executed_->explain(false);
  }
  board_.again = 0;
  ++findings_;
}

void WorkerListener::send_description(const json& message, const Finding& finding,
                                      std::span<const PlannedChoice> schedule, bool repeatable) {
  const auto send = [&](const std::vector<NamedChoice>& steps, bool repeat) {
    json described = describe_finding(program_, finding, steps, repeat);
    described.update(message);
    channel_.send(described);
  };
  if (forked_ == nullptr) {
    send(named(program_, schedule), repeatable);
    return;
  }
  const std::vector<NamedChoice> steps = named(*forked_, schedule);
  if (!forked_->in_fresh_process([&] { send(steps, repeatable); })) send(steps, false);
}

void WorkerListener::explain(const Finding& finding, const std::vector<PlannedChoice>& schedule) {
  const Clock::time_point start = Clock::now();
  std::vector<PlannedChoice> smaller = schedule;
  if (minimises_) {
    MinimiseLimits limits;
    limits.give_up = stop_after(std::min<Clock::duration>(kLongestMinimising, time_left_));
    if (const std::optional<Minimised> minimised = minimise(*executed_, schedule, finding, limits)) {
      smaller = minimised->schedule;
      send_description({{"type", "minimised"}, {"number", findings_}, {"minimised", to_message(*minimised)}}, finding,
                       smaller, true);
    }
    time_left_ -= std::min(time_left_, Clock::now() - start);
  }
  // A race is there whichever access comes first: there is no order that would have been right.
  if (finding.kind == FindingKind::DataRace) return;
  NearestPassingLimits limits;
  limits.give_up = stop_after(kLongestComparing);
  if (const auto nearest = find_nearest_passing(*executed_, smaller, limits)) {
    channel_.send({{"type", "explained"},
                   {"number", findings_},
                   {"schedule", to_text(named(*executed_, smaller))},
                   {"decisive", describe_decisive(*executed_, *nearest)}});
  }
}

std::function<bool()> WorkerListener::stop_after(Clock::duration time) const {
  return [this, deadline = Clock::now() + time] { return board_.interrupt != 0 || Clock::now() > deadline; };
}

void WorkerListener::look_for_leak() {
  // Whoever is still blocked may hold what it would have freed in a register; one that waits in a loop would have
  // gone on and freed what it has.
  if (leaks_ >= kMostLeaks || !program_.undecorated().all_ended()) return;
  const auto leak = native::find_leak();
  if (!leak) return;
  ++leaks_;
  channel_.send({{"type", "warning"},
                 {"kind", "leak"},
                 {"message", std::to_string(leak->size) + " bytes are never freed and nothing points to them any more"},
                 {"stack", json::array({leak->site})}});
}

}  // namespace heddle
