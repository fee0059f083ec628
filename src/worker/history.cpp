#include "worker/history.hpp"

#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <optional>

#include "model/dependency.hpp"
#include "model/direct_order.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/recorder.hpp"
#include "program/native/runtime.hpp"

namespace heddle {
namespace {

using native::rt;
using native::word;
using nlohmann::json;

// Whether an operation's object is something of the runtime's, whose address tells nobody anything.
bool has_inner_object(OpKind kind) {
  const ObjectClass object = traits(kind).first.object;
  return object == ObjectClass::Channel || object == ObjectClass::Signals || object == ObjectClass::Any;
}

bool names_thread(OpKind kind) {
  return kind == OpKind::ThreadCreate || kind == OpKind::ThreadJoin || kind == OpKind::ThreadCancel;
}

// What a step set out to do, if its event is of several operations.
OpKind shown_kind(const Event& event) { return event.op.kind == OpKind::Unknown ? event.announced : event.op.kind; }

// A thread that ends where it waited did not get what it waited for.
std::string_view text_of(const Event& event) {
  if (!event.cancelled) return description(shown_kind(event));
  return description(event.announced == OpKind::CondWake ? OpKind::CondWait : event.announced);
}

// What memory holds now; nothing if it is gone.
std::optional<std::uint64_t> memory_at(std::uint64_t address, std::uint32_t size) {
  std::uint64_t value = 0;
  iovec here{.iov_base = &value, .iov_len = std::min<std::size_t>(size, sizeof(value))};
  iovec there{.iov_base = reinterpret_cast<void*>(address), .iov_len = here.iov_len};
  const long got =
      native::raw_syscall(SYS_process_vm_readv, static_cast<std::uint64_t>(native::raw_syscall(SYS_getpid)),
                          word(&here), 1, word(&there), 1);
  if (got != static_cast<long>(here.iov_len)) return std::nullopt;
  return value;
}

std::uint64_t awaited_object(const Operation& pending, bool signalled) {
  if (has_inner_object(pending.kind)) return 0;
  return pending.kind == OpKind::CondWake && signalled ? pending.second : pending.object;
}

}  // namespace

// What a blocked thread waits for, and who has it.
json blocked_message(const Program& program, ThreadId thread) {
  const ThreadState& state = program.thread(thread);
  const native::Fibre& fibre = native::fibre_of(thread);
  json message{{"thread", program.path(thread)},
               {"waits", std::string(description(state.pending.kind))},
               {"kind", std::string(name(state.pending.kind))},
               {"object", awaited_object(state.pending, fibre.signalled)},
               {"stack", native::pending_stack(thread)}};
  if (state.pending.kind == OpKind::ThreadJoin) {
    message["other"] = program.path(ThreadId{static_cast<std::uint16_t>(state.pending.second)});
  }
  if (fibre.await.waiting) message["spins"] = true;
  for (std::size_t i = 0; i < program.thread_count(); ++i) {
    for (const native::HeldLock& held : rt.fibres[i]->held) {
      if (held.object != message["object"].get<std::uint64_t>()) continue;
      if (program.thread(rt.fibres[i]->id).phase == ThreadPhase::NotStarted) continue;
      message["held_by"].push_back({{"thread", program.path(rt.fibres[i]->id)}, {"site", held.site}});
    }
  }
  return message;
}

void History::add(const Event& event) {
  json message{{"thread", program_.path(event.thread)},
               {"kind", std::string(name(event.op.kind))},
               {"text", std::string(text_of(event))},
               {"object", has_inner_object(shown_kind(event)) ? 0 : event.op.object},
               {"size", event.op.size},
               {"order", event.op.order},
               {"value", event.value},
               {"before", event.before},
               {"outcome", event.outcome},
               {"stack", native::event_stack(event.thread)}};
  if (event.op.plain) message["plain"] = true;
  if (event.several) message["several"] = true;
  if (event.cancelled) message["cancelled"] = true;
  if (event.op.kind == OpKind::Unknown && event.announced != OpKind::Unknown) {
    message["also"] = "more in the same step";
  }
  if (event.op.kind == OpKind::Rmw || event.op.kind == OpKind::Cas) {
    if (const auto value = memory_at(event.op.object, event.op.size)) message["after"] = *value;
  }
  if (names_thread(event.op.kind)) {
    message["other"] = program_.path(ThreadId{static_cast<std::uint16_t>(event.op.second)});
  }
  const bool wakes = event.op.kind == OpKind::CondSignal || event.op.kind == OpKind::CondBroadcast ||
                     event.op.kind == OpKind::FutexWake;
  for (std::size_t t = 0; wakes && t < program_.thread_count(); ++t) {
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    if ((event.woken & wake_bit(thread) & ~kSharedWakeBit) != 0) message["wakes"].push_back(program_.path(thread));
  }
  execution_.push(event);
  for (const std::size_t earlier : direct_predecessors(execution_, execution_.size() - 1)) {
    message["follows"].push_back(earlier);
  }
  for (std::size_t t = 0; t < program_.thread_count(); ++t)
    note_blocked(ThreadId{static_cast<std::uint16_t>(t)}, message);
  note_accesses();
  events_.push_back(std::move(message));
}

// Accesses of the invisible rest of a step belong behind its event.
void History::note_accesses() {
  for (; touches_ < native::touches().size(); ++touches_) {
    const native::Touch& touch = native::touches()[touches_];
    json access{{"thread", program_.path(touch.thread)}, {"did", touch.what}, {"stack", touch.stack}};
    if (!touch.before_steps) access["after"] = events_.size();
    accesses_.push_back(std::move(access));
  }
}

void History::move_into(json& message) {
  message["events"] = std::move(events_);
  message["accesses"] = std::move(accesses_);
}

// A thread that can no longer take the step it was about to take, or has come to one that it cannot take.
void History::note_blocked(ThreadId thread, json& message) {
  const bool blocked = program_.thread(thread).phase == ThreadPhase::Pending && !program_.enabled().contains(thread);
  if (blocked && !blocked_.contains(thread)) message["blocks"].push_back(blocked_message(program_, thread));
  if (blocked) {
    blocked_.insert(thread);
    return;
  }
  if (blocked_.contains(thread) && program_.enabled().contains(thread)) {
    message["unblocks"].push_back(program_.path(thread));
  }
  blocked_.erase(thread);
}

}  // namespace heddle
