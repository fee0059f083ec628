#include "differential/oracle.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/dependency.hpp"

namespace heddle::differential {
namespace {

void put(std::string& text, char mark, std::uint64_t number) {
  std::array<char, 20> digits;
  text += mark;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void put_letter(std::string& text, const Event& event) {
  put(text, 't', event.thread.value);
  put(text, '.', event.index);
  text += name(event.op.kind);
  put(text, '(', event.op.object);
  put(text, ',', event.op.second);
  put(text, ',', event.op.size);
  text += ')';
  if (event.outcome != 0) put(text, '!', event.outcome);
  if (event.woken != 0) put(text, '^', event.woken);
  if (event.total) text += '*';
  text += ' ';
}

// All that the next choices depend on, so far as the seam shows it.
std::string state_text(const toy::ToyProgram& program) {
  std::string text;
  for (std::uint16_t t = 0; t < program.thread_count(); ++t) {
    const ThreadState& state = program.thread(ThreadId{t});
    put(text, ' ', t);
    put(text, ':', static_cast<std::uint64_t>(state.phase));
    if (state.phase != ThreadPhase::Pending) continue;
    text += name(state.pending.kind);
    put(text, '(', state.pending.object);
    put(text, ',', state.pending.second);
    put(text, '@', state.pending.site);
    put(text, '!', state.outcomes.first);
    put(text, '+', state.outcomes.count);
    text += ')';
  }
  return text;
}

bool some_thread_stopped(const toy::ToyProgram& program) {
  for (std::uint16_t t = 0; t < program.thread_count(); ++t) {
    if (program.thread(ThreadId{t}).phase == ThreadPhase::Stopped) return true;
  }
  return false;
}

class Enumeration {
 public:
  explicit Enumeration(OracleLimits limits) : limits_(limits) {}

  OracleResult run(const toy::ToyProgram& program) {
    result_.interleavings = visit(program);
    return std::move(result_);
  }

 private:
  struct Prefix {
    std::string state;
    Interleavings continuations;  // executions that go on from here
  };

  Interleavings visit(const toy::ToyProgram& program) {
    if (events_.size() > limits_.events || prefixes_.size() >= limits_.prefixes) {
      result_.limit_hit = true;
      return {};
    }
    // Before the name is looked up: another order of a known trace may end in another step.
    if (program.raised() != nullptr) note(*program.raised());
    const auto [entry, is_new] = prefixes_.try_emplace(trace_name(events_));
    auto& [name, prefix] = *entry;
    if (!is_new) {
      compare(name, prefix, program);
      return prefix.continuations;  // the same trace again: everything that follows is known
    }
    prefix.state = state_text(program);
    prefix.continuations = program.enabled().empty() ? end(name, program) : branch(program);
    return prefix.continuations;
  }

  Interleavings branch(const toy::ToyProgram& program) {
    Interleavings sum;
    for (auto t = program.enabled().first(); t; t = program.enabled().after(*t)) {
      const Outcomes outcomes = program.thread(*t).outcomes;
      for (Outcome outcome = outcomes.first; outcome < outcomes.end(); ++outcome) {
        toy::ToyProgram next = program;
        events_.push_back(next.step({*t, outcome}));
        const Interleavings below = visit(next);
        events_.pop_back();
        sum.executions += below.executions;
        sum.abandoned += below.abandoned;
      }
    }
    return sum;
  }

  Interleavings end(const TraceName& name, toy::ToyProgram program) {
    const bool failed = some_thread_stopped(program);
    result_.traces[name] = program.abandoned() ? Ending::Abandoned : failed ? Ending::Failed : Ending::Maximal;
    if (program.abandoned()) return {.executions = 0, .abandoned = 1};
    if (const auto finding = program.conclude()) note(*finding);
    return {.executions = 1, .abandoned = 0};
  }

  void note(const Finding& finding) { result_.findings.insert({finding.kind, finding.key}); }

  void compare(const TraceName& name, const Prefix& known, const toy::ToyProgram& program) {
    const std::string state = state_text(program);
    if (result_.contradiction || state == known.state) return;
    result_.contradiction = "one trace, two states: " + name + "\n  once " + known.state + "\n  once " + state;
  }

  OracleLimits limits_;
  OracleResult result_;
  std::vector<Event> events_;
  std::unordered_map<TraceName, Prefix> prefixes_;  // those that have been expanded, or are just now
};

}  // namespace

// Of the events that no remaining event must precede, the one of the lowest thread comes next. There is at most one
// such event of each thread, so comparing threads is comparing letters.
TraceName trace_name(std::span<const Event> events) {
  std::vector<std::size_t> predecessors(events.size(), 0);  // earlier events, not yet taken, that an event depends on
  std::vector<bool> taken(events.size(), false);
  const auto for_each_dependent = [&](std::size_t i, auto&& change) {
    for (std::size_t k = i + 1; k < events.size(); ++k) {
      if (dependent(events[i], events[k])) change(predecessors[k]);
    }
  };
  for (std::size_t i = 0; i < events.size(); ++i) for_each_dependent(i, [](std::size_t& count) { ++count; });
  TraceName name;
  for (std::size_t n = 0; n < events.size(); ++n) {
    std::optional<std::size_t> least;
    for (std::size_t k = 0; k < events.size(); ++k) {
      if (taken[k] || predecessors[k] > 0) continue;
      if (!least || events[k].thread < events[*least].thread) least = k;
    }
    taken[*least] = true;
    for_each_dependent(*least, [](std::size_t& count) { --count; });
    put_letter(name, events[*least]);
  }
  return name;
}

std::size_t OracleResult::count(Ending ending) const {
  return static_cast<std::size_t>(
      std::count_if(traces.begin(), traces.end(), [&](const auto& trace) { return trace.second == ending; }));
}

std::set<std::string> OracleResult::finding_kinds() const {
  std::set<std::string> kinds;
  for (const SeenFinding& finding : findings) kinds.emplace(text(finding.kind));
  return kinds;
}

OracleResult all_traces(const toy::ToyCode& code, toy::ToyOptions options, OracleLimits limits) {
  return Enumeration(limits).run(toy::ToyProgram(code, options));
}

}  // namespace heddle::differential
