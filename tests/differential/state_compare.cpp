#include "differential/state_compare.hpp"

#include <fmt/format.h>

#include "explore_all.hpp"

namespace heddle::differential {
namespace {

std::string local_bytes(toy::ToyProgram& program, ThreadId thread) {
  std::vector<StatePart> parts;
  program.describe(parts);
  for (const StatePart& part : parts) {
    if (part.kind != StatePart::Kind::Local || part.name != thread.value) continue;
    return {reinterpret_cast<const char*>(part.bytes.data()), part.bytes.size()};
  }
  return {};
}

// Remembers the local states that a search goes through. A thread's local state changes by its own steps only, and when
// it is created.
class Watched final : public Program {
 public:
  Watched(toy::ToyProgram inner, LocalStates& locals) : inner_(std::move(inner)), locals_(locals) { note_all(); }
  void restart() override { inner_.restart(); }
  [[nodiscard]] std::size_t thread_count() const override { return inner_.thread_count(); }
  [[nodiscard]] const ThreadState& thread(ThreadId thread) const override { return inner_.thread(thread); }
  [[nodiscard]] const ThreadSet& enabled() const override { return inner_.enabled(); }
  [[nodiscard]] ProgramPhase phase() const override { return inner_.phase(); }
  const Event& step(Choice choice) override {
    const Event& event = inner_.step(choice);
    note(choice.thread);
    if (event.op.kind == OpKind::ThreadCreate) note(ThreadId{static_cast<std::uint16_t>(event.op.second)});
    return event;
  }
  [[nodiscard]] std::span<const ObjectAccess> section() const override { return inner_.section(); }
  std::size_t run(std::span<const PlannedChoice> prefix) override { return inner_.run(prefix); }
  [[nodiscard]] const Finding* raised() const override { return inner_.raised(); }
  [[nodiscard]] bool abandoned() const override { return inner_.abandoned(); }
  [[nodiscard]] std::optional<Finding> conclude() override { return inner_.conclude(); }
  [[nodiscard]] ThreadPath path(ThreadId thread) const override { return inner_.path(thread); }
  [[nodiscard]] std::optional<ThreadId> find(const ThreadPath& path) const override { return inner_.find(path); }
  [[nodiscard]] bool keeps_states() const override { return true; }
  [[nodiscard]] StateHandle save() override { return inner_.save(); }
  void restore(StateHandle state) override { inner_.restore(state); }
  void release(StateHandle state) override { inner_.release(state); }
  void describe(std::vector<StatePart>& parts) override { inner_.describe(parts); }
  [[nodiscard]] std::uint64_t kept_bytes() const override { return inner_.kept_bytes(); }

 private:
  void note(ThreadId thread) { locals_[thread.value].insert(local_bytes(inner_, thread)); }
  void note_all() {
    for (std::uint16_t t = 0; t < inner_.thread_count(); ++t) {
      if (inner_.thread(ThreadId{t}).phase != ThreadPhase::NotStarted) note(ThreadId{t});
    }
  }

  toy::ToyProgram inner_;
  LocalStates& locals_;
};

std::string whole_state(toy::ToyProgram& program) {
  std::string text;
  std::vector<StatePart> parts;
  program.describe(parts);
  for (const StatePart& part : parts) {
    text.append(reinterpret_cast<const char*>(part.bytes.data()), part.bytes.size());
    text += '|';
  }
  return text;
}

// The stem, then the loop twice: it must lead back to where it began.
std::optional<std::string> check_lasso(const toy::ToyCode& code, toy::ToyOptions options, std::uint64_t loop,
                                       const std::vector<PlannedChoice>& schedule) {
  toy::ToyProgram program(code, options);
  if (loop == 0 || loop > schedule.size()) return "a livelock without a loop";
  const std::span<const PlannedChoice> all(schedule);
  if (program.run(all.first(schedule.size() - loop)) != schedule.size() - loop) return "the stem cannot be taken";
  const std::string begin = whole_state(program);
  for (int round = 0; round < 2; ++round) {
    if (program.run(all.last(loop)) != loop) return "the loop cannot be taken";
    if (whole_state(program) != begin) return "the loop does not lead back to where it began";
  }
  return std::nullopt;
}

}  // namespace

std::string_view text(StateReduction reduction) {
  switch (reduction) {
    case StateReduction::None: return "none";
    case StateReduction::Sleep: return "sleep";
    case StateReduction::Cartesian: return "cartesian";
  }
  return "";
}

StatesSearched search_states(const toy::ToyCode& code, toy::ToyOptions options, const StateSearchOptions& search) {
  StatesSearched searched;
  options.awaits = false;  // cycles of states say more
  Watched program(toy::ToyProgram(code, options), searched.locals);
  Collected collected;
  StateSearchOptions all = search;
  all.explore.keep_going = true;
  StateSearch states(program, collected, all);
  searched.result = states.explore();
  for (std::size_t i = 0; i < collected.findings.size(); ++i) {
    const Finding& finding = collected.findings[i];
    if (finding.kind == FindingKind::Livelock) {
      searched.livelock = true;
      searched.lasso_fault = check_lasso(code, options, finding.loop, collected.schedules[i]);
      continue;
    }
    searched.findings.insert({finding.kind, finding.key});
    toy::ToyProgram repeated(code, options);
    if (repeated.run(collected.schedules[i]) != collected.schedules[i].size()) {
      searched.lasso_fault = "the schedule of a finding cannot be taken";
    } else if (finding.kind == FindingKind::Deadlock ? !repeated.conclude() : repeated.raised() == nullptr) {
      searched.lasso_fault = "the schedule of a finding does not lead to it";
    }
  }
  return searched;
}

std::optional<std::string> complaint(const StatesSearched& searched, const StateOracleResult& oracle,
                                     StateReduction reduction) {
  if (searched.result.ended != Ended::Complete) return "the search did not come to its end";
  const Statistics& statistics = searched.result.statistics;
  const auto differs = [](std::string_view what, std::uint64_t got, std::uint64_t expected) {
    return fmt::format("{} {} instead of {}", got, what, expected);
  };
  for (const auto& [thread, locals] : oracle.locals) {
    const auto found = searched.locals.find(thread);
    const std::size_t got = found == searched.locals.end() ? 0 : found->second.size();
    if (got != locals.size() || found->second != locals) {
      return differs(fmt::format("local states of thread {}", thread), got, locals.size());
    }
  }
  if (searched.findings != oracle.findings)
    return differs("findings", searched.findings.size(), oracle.findings.size());
  if (searched.livelock != oracle.livelock) return oracle.livelock ? "a livelock is missed" : "there is no livelock";
  if (searched.lasso_fault) return searched.lasso_fault;
  const bool cartesian = reduction == StateReduction::Cartesian;
  if (cartesian ? statistics.states > oracle.states : statistics.states != oracle.states) {
    return differs("states", statistics.states, oracle.states);
  }
  if (reduction == StateReduction::None ? statistics.transitions != oracle.transitions
                                        : !cartesian && statistics.transitions > oracle.transitions) {
    return differs("transitions", statistics.transitions, oracle.transitions);
  }
  return std::nullopt;
}

}  // namespace heddle::differential
