#include "worker/report_finding.hpp"

#include "explore/replay.hpp"
#include "model/dependency.hpp"
#include "program/native/memory_map.hpp"
#include "program/native/process_state.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"

namespace heddle {
namespace {

using native::rt;
using nlohmann::json;

// Whether an operation's object is something of the runtime's, whose address tells nobody anything.
bool has_inner_object(OpKind kind) {
  const ObjectClass object = traits(kind).first.object;
  return object == ObjectClass::Channel || object == ObjectClass::Signals || object == ObjectClass::Any;
}

bool names_thread(OpKind kind) {
  return kind == OpKind::ThreadCreate || kind == OpKind::ThreadJoin || kind == OpKind::ThreadCancel;
}

json event_message(const Program& program, const Event& event) {
  json message{{"thread", program.path(event.thread)},
               {"kind", std::string(name(event.op.kind))},
               {"text", std::string(description(event.op.kind))},
               {"object", has_inner_object(event.op.kind) ? 0 : event.op.object},
               {"size", event.op.size},
               {"order", event.op.order},
               {"value", event.value},
               {"outcome", event.outcome},
               {"stack", native::event_stack(event.thread)}};
  if (event.op.plain) message["plain"] = true;
  if (names_thread(event.op.kind)) {
    message["other"] = program.path(ThreadId{static_cast<std::uint16_t>(event.op.second)});
  }
  return message;
}

// What a blocked thread waits for, and who has it.
json blocked_message(const Program& program, ThreadId thread) {
  const ThreadState& state = program.thread(thread);
  const native::Fibre& fibre = native::fibre_of(thread);
  json message{{"thread", program.path(thread)},
               {"waits", std::string(description(state.pending.kind))},
               {"kind", std::string(name(state.pending.kind))},
               {"object", state.pending.kind == OpKind::CondWake && fibre.signalled ? state.pending.second
                                                                                    : state.pending.object},
               {"stack", native::pending_stack(thread)}};
  if (state.pending.kind == OpKind::ThreadJoin) {
    message["other"] = program.path(ThreadId{static_cast<std::uint16_t>(state.pending.second)});
  }
  for (std::size_t i = 0; i < rt.thread_count; ++i) {
    for (const native::HeldLock& held : rt.fibres[i]->held) {
      if (held.object != message["object"].get<std::uint64_t>()) continue;
      if (program.thread(rt.fibres[i]->id).phase == ThreadPhase::NotStarted) continue;
      message["held_by"].push_back({{"thread", program.path(rt.fibres[i]->id)}, {"site", held.site}});
    }
  }
  return message;
}

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
  json events = json::array();
  const ReplayResult again = replay(
      program, schedule, [&](const Event& event) { events.push_back(event_message(program, event)); }, finding.loop);
  if (again.finding && again.finding->kind == finding.kind) {
    message["thread"] = program.path(again.finding->thread);
    const native::Stack& failure = native::failure_stack();
    message["stack"] = failure.empty() ? native::pending_stack(again.finding->thread) : failure;
    message["involved"] = involved_threads(program, *again.finding);
    message["output"] = native::kept_output();
  } else {
    message["unrepeated"] = true;
  }
  message["events"] = std::move(events);
  program.record(false);
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
