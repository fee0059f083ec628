#include "worker/report_finding.hpp"

#include "explore/replay.hpp"
#include "program/native/memory_map.hpp"
#include "program/native/process_state.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"
#include "worker/history.hpp"

namespace heddle {
namespace {

using native::rt;
using nlohmann::json;

json involved_threads(const Program& program, const Finding& finding) {
  json involved = json::array();
  if (finding.kind == FindingKind::Deadlock || finding.kind == FindingKind::NoProgress ||
      finding.kind == FindingKind::Livelock) {
    for (std::size_t i = 0; i < program.thread_count(); ++i) {
      const ThreadId thread{static_cast<std::uint16_t>(i)};
      const ThreadPhase phase = program.thread(thread).phase;
      const bool spins = phase == ThreadPhase::Stopped && native::fibre_of(thread).await.waiting;
      if (phase == ThreadPhase::Pending || spins) involved.push_back(blocked_message(program, thread));
    }
    return involved;
  }
  // Of all who touched the memory in question, the last one of each other thread, and the last allocation and free.
  const auto touches = native::touches();
  for (std::size_t i = touches.size(); i-- > 0;) {
    const native::Touch& touch = touches[i];
    const std::string what = touch.what;
    const bool heap = what == "allocation" || what == "free";
    if (!heap && touch.thread == finding.thread) continue;
    const std::string path = program.path(touch.thread);
    bool known = false;
    for (const json& other : involved) known = known || (other["thread"] == path && other["did"] == what);
    if (!known) involved.push_back({{"thread", path}, {"did", what}, {"stack", touch.stack}});
  }
  return involved;
}

}  // namespace

std::vector<NamedChoice> named(const Program& program, std::span<const PlannedChoice> schedule) {
  std::vector<NamedChoice> result;
  result.reserve(schedule.size());
  for (const PlannedChoice& planned : schedule) {
    result.push_back({program.path(planned.choice.thread), planned.choice.outcome});
  }
  return result;
}

json describe_finding(native::NativeProgram& program, const Finding& finding, const std::vector<NamedChoice>& schedule,
                      bool repeatable) {
  json message{{"type", "finding"},
               {"kind", std::string(text(finding.kind))},
               {"message", finding.message},
               {"thread", program.path(finding.thread)},
               {"schedule", to_text(schedule)},
               {"memory", finding.memory},
               {"events", json::array()}};
  if (finding.loop > 0) message["loop"] = finding.loop;
  if (!repeatable) return message;
  program.record(true, finding.memory);
  History history(program);
  const ReplayResult again = replay(
      program, schedule, [&](const Event& event) { history.add(event); }, finding.loop);
  if (again.finding && again.finding->kind == finding.kind) {
    message["message"] = again.finding->message;  // the smallest form may go wrong in another way, at the same place
    message["thread"] = program.path(again.finding->thread);
    const native::Stack& failure = native::failure_stack();
    message["stack"] = failure.empty() ? native::pending_stack(again.finding->thread) : failure;
    message["involved"] = involved_threads(program, *again.finding);
    message["output"] = native::kept_output();
  } else {
    message["unrepeated"] = true;
  }
  history.move_into(message);
  program.record(false);
  return message;
}

json describe_stop(native::NativeProgram& program, const std::vector<NamedChoice>& steps) {
  json message{{"type", "stopped"}, {"kind", "stopped"}, {"message", ""}, {"schedule", to_text(steps)}};
  program.record(true);
  History history(program);
  replay(program, steps, [&](const Event& event) { history.add(event); });
  history.move_into(message);
  message["involved"] = json::array();
  for (std::size_t i = 0; i < program.thread_count(); ++i) {
    const ThreadId thread{static_cast<std::uint16_t>(i)};
    if (program.thread(thread).phase != ThreadPhase::Pending) continue;
    json next = blocked_message(program, thread);
    next["ready"] = program.enabled().contains(thread);
    message["involved"].push_back(std::move(next));
  }
  program.record(false);
  return message;
}

json describe_decisive(const Program& program, const NearestPassing& nearest) {
  json message{{"first", nearest.first}, {"schedule", to_text(named(program, nearest.schedule))}};
  if (nearest.second) {
    message["second"] = {{"thread", program.path(nearest.second_thread)},
                         {"kind", std::string(name(nearest.second_operation.kind))},
                         {"text", std::string(description(nearest.second_operation.kind))},
                         {"object", nearest.second_operation.object},
                         {"site", nearest.second_operation.site},
                         {"at", *nearest.second}};
  } else {
    message["outcome"] = nearest.other_outcome;
  }
  return message;
}

json describe_refusal(native::NativeProgram& program, const std::vector<NamedChoice>& schedule) {
  json message{{"type", "refusal"},
               {"limit", rt.refusal == native::Refusal::Limit},
               {"text", rt.refusal_text},
               {"schedule", to_text(schedule)}};
  program.record(true);
  replay(program, schedule, [](const Event&) {});
  message["stack"] = native::failure_stack();
  program.record(false);
  return message;
}

json describe_modules() {
  json modules = json::array();
  for (const native::Mapping& mapping : native::read_memory_map()) {
    if (mapping.name.empty() || mapping.name.front() != '/') continue;
    modules.push_back(
        {{"begin", mapping.begin}, {"end", mapping.end}, {"offset", mapping.offset}, {"file", mapping.name}});
  }
  return {{"type", "modules"}, {"modules", modules}};
}

}  // namespace heddle
