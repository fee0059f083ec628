// The worker: the process that holds the search and the program under test together. It is started by the supervisor as
// the program itself; the runtime hands over to it in place of main.
#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <string>

#include "base/contract.hpp"
#include "explore/replay.hpp"
#include "program/native/foreign_code.hpp"
#include "program/native/loaded_code.hpp"
#include "program/native/process_state.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"
#include "program/native/snapshot.hpp"
#include "program/native/start.hpp"
#include "worker/report_finding.hpp"
#include "worker/run_search.hpp"
#include "worker/static_knowledge.hpp"

namespace heddle {
namespace {

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

// It goes by what steps touch, instead of by their events.
bool is_cartesian(const SearchRequest& search) {
  return search.mode == SearchMode::States && search.states.reduction == StateReduction::Cartesian;
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
  settings.ends_depend = settings.reduced && !settings.report_races && !is_cartesian(configuration.search);
  return settings;
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
  WorkerConfiguration configuration = configuration_from_json(started.configuration);
  contract_channel = configuration.channel;
  set_contract_handler(report_broken_contract);
  native::protect_descriptor(configuration.channel);
  native::protect_descriptor(configuration.board);
  const Channel channel(configuration.channel);
  Board& board = map_board(configuration.board);
  const json modules = describe_modules();
  const Beginning beginning{read_and_close(configuration.resume), modules.dump()};
  StaticKnowledge known;
  if (const std::string table = read_and_close(configuration.static_table); !table.empty()) {
    known = static_knowledge(table, configuration.visible_all);
    configuration.search.reduction.known = &known;
  }
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
                              : run_search(configuration, beginning, channel, board, program);
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
