// The worker: the process that holds the search and the program under test together. It is started by the supervisor as
// the program itself; the runtime hands over to it in place of main.
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>

#include "base/contract.hpp"
#include "explore/minimise.hpp"
#include "explore/nearest_passing.hpp"
#include "explore/portfolio.hpp"
#include "explore/replay.hpp"
#include "explore/search_run.hpp"
#include "program/native/arena.hpp"
#include "program/native/foreign_code.hpp"
#include "program/native/loaded_code.hpp"
#include "program/native/process_state.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"
#include "program/native/snapshot.hpp"
#include "program/native/start.hpp"
#include "program/recheck.hpp"
#include "worker/board.hpp"
#include "worker/channel.hpp"
#include "worker/child_process.hpp"
#include "worker/configuration.hpp"
#include "worker/forked_program.hpp"
#include "worker/known_program.hpp"
#include "worker/mirror.hpp"
#include "worker/report_finding.hpp"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
using native::rt;
using nlohmann::json;

int contract_channel = -1;

void report_broken_contract(const char* file, int line, const char* sentence) {
  Channel(contract_channel)
      .send({{"type", "broken"}, {"text", std::string(file) + ":" + std::to_string(line) + ": " + sentence}});
  native::raw_syscall(SYS_exit_group, 70);
}

Board& map_board(int descriptor) {
  const long at = native::raw_syscall(SYS_mmap, 0, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED,
                                      static_cast<std::uint64_t>(descriptor), 0);
  HEDDLE_REQUIRE(at > 0, "cannot map the board");
  return *reinterpret_cast<Board*>(at);
}

native::Backtrack backtrack_from_text(std::string_view text) {
  if (text == "restore") return native::Backtrack::Restore;
  return text == "replay" ? native::Backtrack::Replay : native::Backtrack::Auto;
}

// By what it knows of their steps. Samples run whatever comes.
bool leaves_schedules_out(const SearchRequest& search) {
  if (search.mode == SearchMode::Sample) return false;
  if (search.mode == SearchMode::States) return search.states.reduction != StateReduction::None;
  return search.mode == SearchMode::Portfolio || search.reduction.kind != ReductionKind::None;
}

native::Settings settings_of(const WorkerConfiguration& configuration) {
  native::Settings settings;
  settings.visible_all = configuration.visible_all;
  settings.report_races = configuration.races.value_or(!configuration.visible_all);
  settings.reuse_heap = configuration.reuse_heap;
  settings.show_output = configuration.show_output;
  settings.timeouts = configuration.timeouts;
  settings.spurious_wakeups = configuration.spurious_wakeups;
  settings.weak_cas_failures = configuration.weak_cas_failures;
  settings.allocation_failures = configuration.allocation_failures;
  settings.heap_limit = configuration.heap_limit;
  settings.seed = configuration.seed;
  settings.backtrack = backtrack_from_text(configuration.backtrack);
  settings.recorded_choices = configuration.replay;
  settings.check_undo_log = configuration.search.self_check;
  settings.stateful = configuration.search.mode == SearchMode::States;
  settings.reduced = !configuration.replay && leaves_schedules_out(configuration.search);
  return settings;
}

std::string_view text(Ended ended) {
  switch (ended) {
    case Ended::Complete: return "complete";
    case Ended::FirstFinding: return "finding";
    case Ended::Executions: return "executions";
    case Ended::Steps: return "steps";
    case Ended::Time: return "time";
    case Ended::States: return "states";
    case Ended::Memory: return "memory";
    case Ended::WorkerDied: return "worker-died";
    case Ended::Interrupted: return "interrupted";
    case Ended::Refused: return "refused";
    case Ended::NotResumed:
    case Ended::Revised: break;
  }
  return "";
}

json to_message(const Statistics& s) {
  return {{"executions", s.executions}, {"blocked", s.blocked},        {"abandoned", s.abandoned}, {"events", s.events},
          {"replayed", s.replayed},     {"max_depth", s.max_depth},    {"threads", s.threads},     {"states", s.states},
          {"failures", s.failures},     {"transitions", s.transitions}};
}

// What a bounded search or a sample has to say besides.
json describe_coverage(const SearchResult& result) {
  json coverage = json::object();
  if (!result.bounds.empty()) {
    json bounds = json::array();
    for (const BoundReport& report : result.bounds) {
      bounds.push_back({{"bound", report.bound},
                        {"executions", report.executions},
                        {"blocked", report.blocked},
                        {"states", report.states},
                        {"complete", report.complete}});
    }
    coverage["bounds"] = bounds;
    coverage["everything"] = result.everything;
  }
  if (result.sample) {
    coverage["sample"] = {
        {"runs", result.sample->runs}, {"threads", result.sample->threads}, {"decisions", result.sample->decisions}};
  }
  if (result.states) coverage["states"] = {{"bytes", result.states->store_bytes}};
  if (result.partial_orders) coverage["partial_orders"] = *result.partial_orders;
  if (result.estimate) {
    coverage["estimate"] = {{"executions", result.estimate->executions},
                            {"relative_error", result.estimate->relative_error},
                            {"samples", result.estimate->samples},
                            {"effective_samples", result.estimate->effective},
                            {"rough", result.estimate->rough()}};
  }
  return coverage;
}

json to_message(const Measure& m) { return {{"preemptions", m.preemptions}, {"steps", m.length}, {"data", m.data}}; }

json to_message(const Minimised& minimised) {
  return {{"before", to_message(minimised.before)},
          {"after", to_message(minimised.after)},
          {"fewest_preemptions", minimised.fewest_preemptions},
          {"smallest", minimised.smallest}};
}

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += {kDigits[value >> 4U], kDigits[value & 15U]};
  }
  return text;
}

std::string read_and_close(int descriptor) {
  std::string text;
  if (descriptor < 0) return text;
  std::array<char, 65536> buffer;
  for (long got; (got = native::raw_syscall(SYS_read, static_cast<std::uint64_t>(descriptor),
                                            native::word(buffer.data()), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  native::raw_syscall(SYS_close, static_cast<std::uint64_t>(descriptor));
  return text;
}

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

// What the worker begins with.
struct Beginning {
  std::string state;    // of a search, to go on from; empty: none
  std::string modules;  // what is loaded where
};

// Listens to the search: findings go to the supervisor, figures to the board.
class WorkerListener final : public Listener {
 public:
  WorkerListener(const Channel& channel, Board& board, native::NativeProgram& program, ForkedProgram* forked,
                 const WorkerConfiguration& configuration, const Beginning& beginning)
      : channel_(channel),
        board_(board),
        program_(program),
        forked_(forked),
        minimises_(configuration.minimise),
        checkpoints_(configuration.checkpoints),
        beginning_(beginning) {}

  // To be told when the user interrupts the search, and asked for its estimate.
  struct Search {
    std::function<void()> interrupt;
    std::function<std::optional<Estimate>(std::uint64_t)> estimate;
  };
  void listen_to(Search search) { search_ = std::move(search); }
  // The program that is searched, for finding smaller executions; without it findings stay as they are.
  void attach(Mirror& executed) { executed_ = &executed; }

  void execution_ended(const Statistics& so_far) override {
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

  [[nodiscard]] bool wants_checkpoint() override { return board_.checkpoint != checkpoint_; }

  void checkpoint(std::string_view state) override {
    if (!checkpoints_ && board_.interrupt == 0) return;
    checkpoint_ = board_.checkpoint;
    Archive written;
    HEDDLE_REQUIRE(archive(written), "where the search stands cannot be written down");
    channel_.send({{"type", "checkpoint"},
                   {"statistics", to_message(board_.statistics)},
                   {"state", hexadecimal(written.written()) + hexadecimal(state)}});
  }

  // What belongs to a checkpoint besides the state of the search itself; false if it does not fit the program.
  [[nodiscard]] bool archive(Archive& archive) {
    if (!archive_known_program(archive, beginning_.modules)) return false;
    archive(reported_);
    archive(findings_);
    archive(leaks_);
    executed_->archive(archive);
    return archive.sound();
  }

  void found(const Finding& finding, std::span<const PlannedChoice> schedule) override {
    // A search that begins anew finds again what it had found.
    if (std::find(reported_.begin(), reported_.end(), finding.key) != reported_.end()) return;
    reported_.push_back(finding.key);
    const bool repeatable = finding.kind != FindingKind::Nondeterminism;
    send_description({{"type", "finding"}}, finding, schedule, repeatable);
    // What follows runs the program further: if that ends badly, the finding is safe.
    if (repeatable && executed_ != nullptr) {
      const FlagsKept kept;
      executed_->explain(true);
      explain(finding, {schedule.begin(), schedule.end()});
      executed_->explain(false);
    }
    ++findings_;
  }

 private:
  // A message with the finding's description added. In a fresh process if the program has one for each execution.
  void send_description(const json& message, const Finding& finding, std::span<const PlannedChoice> schedule,
                        bool repeatable) {
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

  // A smaller execution with the same finding, and the nearest one that passes.
  void explain(const Finding& finding, const std::vector<PlannedChoice>& schedule) {
    const Clock::time_point start = Clock::now();
    std::vector<PlannedChoice> smaller = schedule;
    if (minimises_) {
      MinimiseLimits limits;
      limits.give_up = stop_after(std::min(kLongestMinimising, time_left_));
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

  [[nodiscard]] std::function<bool()> stop_after(Clock::duration time) const {
    return [this, deadline = Clock::now() + time] { return board_.interrupt != 0 || Clock::now() > deadline; };
  }

  void look_for_leak() {
    if (leaks_ >= kMostLeaks || !program_.enabled().empty()) return;
    // Whoever is still blocked may hold what it would have freed in a register; one that waits in a loop would have
    // gone on and freed what it has.
    for (std::size_t i = 0; i < program_.thread_count(); ++i) {
      const ThreadPhase phase = program_.thread(ThreadId{static_cast<std::uint16_t>(i)}).phase;
      if (phase == ThreadPhase::Pending || phase == ThreadPhase::Stopped) return;
    }
    const auto leak = native::find_leak();
    if (!leak) return;
    ++leaks_;
    channel_.send(
        {{"type", "warning"},
         {"kind", "leak"},
         {"message", std::to_string(leak->size) + " bytes are never freed and nothing points to them any more"},
         {"stack", json::array({leak->site})}});
  }

  static constexpr int kMostLeaks = 10;
  static constexpr Clock::duration kLongestMinimising = std::chrono::seconds(2);
  static constexpr Clock::duration kLongestComparing = std::chrono::seconds(1);
  const Channel& channel_;
  Board& board_;
  native::NativeProgram& program_;
  ForkedProgram* forked_;
  bool minimises_;
  bool checkpoints_;
  const Beginning& beginning_;
  std::uint32_t checkpoint_ = 0;  // the last one asked for that was sent
  Search search_;
  std::uint64_t next_estimate_ = 0;
  Mirror* executed_ = nullptr;
  int leaks_ = 0;
  std::vector<std::uint64_t> reported_;
  std::size_t findings_ = 0;                              // described so far
  Clock::duration time_left_ = std::chrono::seconds(20);  // for minimising, over all findings
};

void send_notes(const Channel& channel) {
  for (const std::string& note : native::notes()) channel.send({{"type", "note"}, {"text", note}});
}

// What every process of a search has to say about what it met, for the coverage statement.
json describe_met() {
  return {{"timeouts_cut", rt.timeouts_cut},
          {"gave_up", rt.gave_up},
          {"main_returned_early", rt.main_returned_early},
          {"weak_orders", rt.weak_orders}};
}

// At the end of a process that took part in a search over states.
void report_before_exit() {
  const Channel channel(contract_channel);
  send_notes(channel);
  json met = describe_met();
  met["type"] = "met";
  channel.send(met);
}

void send_end(const Channel& channel, const SearchResult& found, const std::vector<std::uint64_t>& branches) {
  send_notes(channel);
  json done = describe_met();
  done["type"] = "done";
  done["ended"] = std::string(text(found.explored.ended));
  done["cut"] = found.explored.cut_executions;
  done["coverage"] = describe_coverage(found);
  done["branches"] = branches;
  done["statistics"] = to_message(found.explored.statistics);
  channel.send(done);
}

// A program whose states are compared runs in this process, bare: there are no executions to mirror or to repeat, and
// the search looks itself whether it does the same again.
int search_states(const WorkerConfiguration& configuration, const Beginning& beginning, const Channel& channel,
                  Board& board, native::NativeProgram& program) {
  WorkerListener listener(channel, board, program, nullptr, configuration, beginning);
  SearchRun search(program, listener, configuration.search, worker_processes(report_before_exit));
  listener.listen_to({[&] { search.interrupt(); }, [&](std::uint64_t so_far) { return search.estimate(so_far); }});
  const SearchResult found = search.run();
  if (const std::string& library = native::refused_reduction_for(); !library.empty()) {
    channel.send({{"type", "unreduced"}, {"library", library}});
    return 0;
  }
  if (found.explored.ended == Ended::Refused) {
    channel.send(describe_refusal(program, named(program, found.schedule)));
  }
  send_end(channel, found, {});
  return 0;
}

int search(const WorkerConfiguration& configuration, const Beginning& beginning, const Channel& channel, Board& board,
           native::NativeProgram& program) {
  if (configuration.search.mode == SearchMode::States) {
    return search_states(configuration, beginning, channel, board, program);
  }
  std::optional<ForkedProgram> forked;
  if (configuration.fork) forked.emplace(program);
  Program& executed = forked ? static_cast<Program&>(*forked) : program;
  Recheck recheck(executed, configuration.search.self_check ? Recheck::Sample::All : Recheck::Sample::Few);
  Mirror mirror(recheck, board);
  WorkerListener listener(channel, board, program, forked ? &*forked : nullptr, configuration, beginning);
  listener.attach(mirror);
  const auto run = [&](auto search) {
    listener.listen_to({[&] { search.interrupt(); }, [&](std::uint64_t so_far) { return search.estimate(so_far); }});
    return search.run();
  };
  SearchRequest request = configuration.search;
  if (configuration.resume >= 0) {
    Archive read(beginning.state);
    if (!listener.archive(read)) {
      channel.send({{"type", "unresumable"}});
      return 0;
    }
    request.resume_from = read.left();
  }
  const SearchResult found = request.mode == SearchMode::Portfolio ? run(Portfolio(mirror, listener, request))
                                                                   : run(SearchRun(mirror, listener, request));
  const ExploreResult& result = found.explored;
  if (result.ended == Ended::NotResumed) {
    channel.send({{"type", "unresumable"}});
    return 0;
  }
  if (const char* reason = native::fresh_process_reason(); reason != nullptr && !configuration.fork) {
    channel.send({{"type", "isolate"}, {"reason", std::string("the program ") + reason}});
    return 0;
  }
  if (const std::string& library = native::refused_reduction_for(); !library.empty()) {
    channel.send({{"type", "unreduced"}, {"library", library}});
    return 0;
  }
  if (result.ended == Ended::Refused) {
    const std::vector<NamedChoice> steps = named(executed, found.schedule);
    if (forked) {
      forked->in_fresh_process([&] { channel.send(describe_refusal(program, steps)); });
    } else {
      channel.send(describe_refusal(program, steps));
    }
  }
  send_end(channel, found, mirror.returns());
  return 0;
}

int replay_schedule(const WorkerConfiguration& configuration, const Channel& channel, native::NativeProgram& program) {
  const auto schedule = schedule_from_text(configuration.schedule);
  HEDDLE_REQUIRE(schedule.has_value(), "the supervisor passed a damaged schedule");
  if (configuration.debug) program.record(true);
  const ReplayResult result = replay(
      program, *schedule, [](const Event&) {}, configuration.loop);
  if (configuration.debug) return 0;
  const bool stopped = configuration.stop_on_way && result.performed == schedule->size() && !result.finding;
  if (stopped) channel.send(describe_stop(program, *schedule));
  if (rt.refusal != native::Refusal::None) channel.send(describe_refusal(program, *schedule));
  if (result.finding) {
    std::vector<NamedChoice> performed = *schedule;
    performed.resize(result.performed);
    channel.send(describe_finding(program, *result.finding, performed, true));
  }
  json message{{"type", "replayed"}, {"performed", result.performed}};
  if (result.divergence && !stopped) message["divergence"] = *result.divergence;
  channel.send(message);
  send_notes(channel);
  return 0;
}

int worker_main(const native::StartedProgram& started) {
  const WorkerConfiguration configuration = configuration_from_json(started.configuration);
  contract_channel = configuration.channel;
  set_contract_handler(report_broken_contract);
  native::protect_descriptor(configuration.channel);
  native::protect_descriptor(configuration.board);
  const Channel channel(configuration.channel);
  Board& board = map_board(configuration.board);
  const json modules = describe_modules();
  const Beginning beginning{read_and_close(configuration.resume), modules.dump()};
  channel.send(modules);
  for (const native::ForeignLibrary& library : native::foreign_libraries()) {
    channel.send({{"type", "foreign"}, {"file", library.file}, {"functions", library.functions}});
  }
  rt.settings = settings_of(configuration);
  if (!started.dispatch) {
    native::note_once(
        "this kernel does not have Syscall User Dispatch: system calls made inside libraries are neither "
        "controlled nor seen");
  }
  if (const char* memory = native::unrestorable_memory(); memory != nullptr && !configuration.fork) {
    channel.send({{"type", "isolate"}, {"reason", std::string("the program has shared memory (") + memory + ")"}});
    return 0;
  }
  native::NativeProgram program(started.entry, board.heartbeat);
  return configuration.replay ? replay_schedule(configuration, channel, program)
                              : search(configuration, beginning, channel, board, program);
}

void refuse_early(const char* configuration_text, native::Early why, const char* sentence) {
  const WorkerConfiguration configuration = configuration_from_json(configuration_text);
  const Channel channel(configuration.channel);
  channel.send(describe_modules());
  if (why == native::Early::Unreached) {
    channel.send({{"type", "unreached"}, {"text", sentence}});
    return;
  }
  channel.send({{"type", "refusal"}, {"limit", false}, {"text", sentence}, {"schedule", ""}, {"stack", json::array()}});
}

__attribute__((constructor(102))) void register_worker() { native::set_worker(worker_main, refuse_early); }

}  // namespace
}  // namespace heddle
