#include "differential/state_oracle.hpp"

#include <deque>
#include <vector>

namespace heddle::differential {
namespace {

struct Described {
  std::string all;
  std::string shared;
};

Described describe(toy::ToyProgram& program, LocalStates& locals) {
  std::vector<StatePart> parts;
  program.describe(parts);
  Described described;
  for (const StatePart& part : parts) {
    const std::string bytes(reinterpret_cast<const char*>(part.bytes.data()), part.bytes.size());
    described.all += std::to_string(part.name) + (part.kind == StatePart::Kind::Local ? "l" : "s") +
                     std::to_string(bytes.size()) + ":" + bytes;
    if (part.kind == StatePart::Kind::Local) {
      locals[part.name].insert(bytes);
    } else {
      described.shared += bytes;
    }
  }
  return described;
}

struct Node {
  std::vector<std::size_t> successors;
  bool ready = true;  // every step leaves the shared state as it is, nobody fails or ends, nobody waits for a time-out
};

bool some_thread(const toy::ToyProgram& program, ThreadPhase phase) {
  for (std::uint16_t t = 0; t < program.thread_count(); ++t) {
    if (program.thread(ThreadId{t}).phase == phase) return true;
  }
  return false;
}

bool waits_for_a_time_out(const toy::ToyProgram& program) {
  for (std::uint16_t t = 0; t < program.thread_count(); ++t) {
    const ThreadState& state = program.thread(ThreadId{t});
    if (state.phase == ThreadPhase::Pending && state.outcomes.count == 0 && state.pending.timed) return true;
  }
  return false;
}

// Whether states are left when those that are not ready, and those that lead to one that is not left, are taken away.
bool some_left(std::vector<Node> nodes) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Node& node : nodes) {
      if (!node.ready) continue;
      for (const std::size_t next : node.successors) node.ready = node.ready && nodes[next].ready;
      changed = changed || !node.ready;
    }
  }
  for (const Node& node : nodes) {
    if (node.ready) return true;
  }
  return false;
}

}  // namespace

StateOracleResult all_states(const toy::ToyCode& code, toy::ToyOptions options, std::size_t limit) {
  StateOracleResult result;
  options.awaits = false;
  std::map<std::string, std::size_t> numbers;
  std::vector<Node> nodes;
  std::deque<std::pair<toy::ToyProgram, std::string>> work;  // with the shared part of its state
  const auto note = [&](const Finding& finding) { result.findings.insert({finding.kind, finding.key}); };
  const auto number_of = [&](toy::ToyProgram& program) {
    const Described described = describe(program, result.locals);
    const auto [entry, is_new] = numbers.try_emplace(described.all, nodes.size());
    if (is_new) {
      nodes.emplace_back();
      work.emplace_back(program, described.shared);
    }
    return entry->second;
  };
  toy::ToyProgram start(code, options);
  if (start.raised() != nullptr) note(*start.raised());
  number_of(start);
  for (std::size_t here = 0; !work.empty(); ++here) {
    if (nodes.size() > limit) {
      result.limit_hit = true;
      return result;
    }
    const auto [program, shared] = std::move(work.front());
    work.pop_front();
    Node node;
    node.ready = !program.enabled().empty() && !program.abandoned() && !some_thread(program, ThreadPhase::Stopped) &&
                 !waits_for_a_time_out(program);
    for (std::uint16_t t = 0; t < program.thread_count(); ++t) {
      const ThreadState& state = program.thread(ThreadId{t});
      if (state.phase != ThreadPhase::Pending) continue;
      if (state.outcomes.count == 0) ++result.transitions;
      for (Outcome outcome = state.outcomes.first; outcome < state.outcomes.end(); ++outcome) {
        ++result.transitions;
        toy::ToyProgram next = program;
        const OpKind kind = next.step({ThreadId{t}, outcome}).op.kind;
        if (next.raised() != nullptr) note(*next.raised());
        const std::size_t successor = number_of(next);
        node.successors.push_back(successor);
        LocalStates unused;
        const bool ended = next.thread(ThreadId{t}).phase != ThreadPhase::Pending;
        // A join takes something away, an arrival at a barrier lets somebody go: progress, though it may not show.
        const bool progress = kind == OpKind::ThreadJoin || kind == OpKind::BarrierArrive;
        node.ready = node.ready && !ended && !progress && describe(next, unused).shared == shared;
      }
    }
    if (program.enabled().empty() && !program.abandoned()) {
      toy::ToyProgram end = program;
      if (const auto finding = end.conclude()) note(*finding);
    }
    nodes[here] = std::move(node);
  }
  result.states = nodes.size();
  result.livelock = some_left(nodes);
  return result;
}

}  // namespace heddle::differential
