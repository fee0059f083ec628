#include "differential/compare.hpp"

#include <fmt/format.h>

#include "differential/toy_knowledge.hpp"
#include "explore/self_check.hpp"
#include "explore_all.hpp"

namespace heddle::differential {
namespace {

// Far more than any search needs for a program that the oracle can enumerate: one that goes on is caught in a circle.
constexpr std::uint64_t kMostExecutions = 30'000;

// Stands between engine and reduction, names the executions that run to their end and compares what an execution says
// about its events with the definitions.
class Namer final : public Reduction {
 public:
  Namer(Reduction& inner, std::map<TraceName, std::size_t>& traces) : inner_(inner), traces_(traces) {}
  MaybeChoice first_choice(const Program& program) override { return inner_.first_choice(program); }
  void performed(const Program& program, const Event& event) override {
    push(event);
    inner_.performed(program, event);
  }
  bool joins_next(const Event& event, const Operation& join) override {
    if (!inner_.joins_next(event, join)) return false;
    push(event);
    return true;
  }
  void ended(const Program& program, bool cut) override {
    check_against_definitions(execution_);
    if (cut || program.enabled().empty()) ++traces_[trace_name(events_)];
    inner_.ended(program, cut);
  }
  std::optional<Branch> backtrack(Prober& prober) override {
    const std::optional<Branch> branch = inner_.backtrack(prober);
    if (branch) {
      events_.resize(branch->depth);
      execution_.truncate(branch->depth);
    }
    return branch;
  }

 private:
  void push(const Event& event) {
    events_.push_back(event);
    execution_.push(event);
  }

  Reduction& inner_;
  std::map<TraceName, std::size_t>& traces_;
  std::vector<Event> events_;
  Execution execution_;
};

}  // namespace

Searched search(const toy::ToyCode& code, toy::ToyOptions options, const ReductionChoice& choice) {
  Searched searched;
  toy::ToyProgram program(code, options);
  const std::unique_ptr<ToyReduction> made = reduction_for(code, options, choice);
  Namer namer(*made->reduction, searched.traces);
  Collected collected;
  ExploreOptions explore;
  explore.keep_going = true;
  explore.budget.max_executions = kMostExecutions;
  Engine engine(program, namer, collected, explore);
  searched.result = engine.explore();
  for (const Finding& finding : collected.findings) searched.findings.insert({finding.kind, finding.key});
  return searched;
}

std::optional<std::string> complaint(const Searched& searched, const OracleResult& oracle,
                                     const ReductionChoice& choice) {
  if (searched.result.ended != Ended::Complete) return "the search did not come to its end";
  std::size_t missing = 0;
  for (const auto& [name, ending] : oracle.traces) missing += searched.traces.contains(name) ? 0U : 1U;
  if (missing > 0) return fmt::format("{} of {} traces are missing", missing, oracle.traces.size());
  std::size_t runs = 0;
  for (const auto& [name, times] : searched.traces) {
    runs += times;
    if (!oracle.traces.contains(name)) return "a trace that the oracle does not know: " + name;
    if (times > 1 && runs_each_trace_once(choice)) return fmt::format("a trace was run {} times: {}", times, name);
  }
  if (searched.findings != oracle.findings) {
    return fmt::format("{} findings instead of {}", searched.findings.size(), oracle.findings.size());
  }
  const Statistics& statistics = searched.result.statistics;
  if (statistics.executions + statistics.abandoned != runs) {
    return fmt::format("{} executions were counted instead of {}", statistics.executions + statistics.abandoned, runs);
  }
  if (choice.kind == ReductionKind::Optimal && statistics.blocked > 0) {
    return fmt::format("{} executions were blocked", statistics.blocked);
  }
  return std::nullopt;
}

}  // namespace heddle::differential
