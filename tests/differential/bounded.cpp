#include "differential/bounded.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explore/bounded/hb_search.hpp"
#include "explore_all.hpp"
#include "model/dependency.hpp"

namespace heddle::differential {
namespace {

using toy::ToyProgram;
using Last = std::optional<ThreadId>;

std::uint32_t preemption(const ToyProgram& program, Last last, ThreadId next) {
  return last && *last != next && program.enabled().contains(*last) ? 1U : 0U;
}

template <typename Visit>
void for_each_step(const ToyProgram& program, Visit visit) {
  for (auto t = program.enabled().first(); t; t = program.enabled().after(*t)) {
    const Outcomes outcomes = program.thread(*t).outcomes;
    for (Outcome outcome = outcomes.first; outcome < outcomes.end(); ++outcome) visit(Choice{*t, outcome});
  }
}

class Walk {
 public:
  explicit Walk(OracleLimits limits) : limits_(limits) {}

  BoundedOracle run(const ToyProgram& program) {
    visit(program, std::nullopt, 0);
    if (!result_.limit_hit) result_.interleavings = count(program, std::nullopt);
    return std::move(result_);
  }

 private:
  using Key = std::pair<TraceName, Last>;

  static void lower(std::map<TraceName, std::uint32_t>& least, const TraceName& name, std::uint32_t preemptions) {
    const auto [entry, is_new] = least.try_emplace(name, preemptions);
    if (!is_new) entry->second = std::min(entry->second, preemptions);
  }

  void visit(const ToyProgram& program, Last last, std::uint32_t preemptions) {
    if (best_.size() >= limits_.prefixes || events_.size() > limits_.events) result_.limit_hit = true;
    if (result_.limit_hit) return;
    const TraceName name = trace_name(events_);
    const auto [entry, is_new] = best_.try_emplace({name, last}, preemptions);
    if (!is_new && entry->second <= preemptions) return;
    entry->second = preemptions;
    lower(result_.states, name, preemptions);
    if (program.enabled().empty()) lower(result_.traces, name, preemptions);
    for_each_step(program, [&](Choice choice) {
      ToyProgram next = program;
      events_.push_back(next.step(choice));
      visit(next, choice.thread, preemptions + preemption(program, last, choice.thread));
      events_.pop_back();
    });
  }

  // Continuations by the number of preemptions they make.
  std::vector<std::uint64_t> count(const ToyProgram& program, Last last) {
    if (program.enabled().empty()) return {1};
    const Key key{trace_name(events_), last};
    if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
    std::vector<std::uint64_t> sum;
    for_each_step(program, [&](Choice choice) {
      ToyProgram next = program;
      events_.push_back(next.step(choice));
      const std::vector<std::uint64_t> below = count(next, choice.thread);
      events_.pop_back();
      const std::uint32_t extra = preemption(program, last, choice.thread);
      sum.resize(std::max(sum.size(), below.size() + extra), 0);
      for (std::size_t i = 0; i < below.size(); ++i) sum[i + extra] += below[i];
    });
    return counts_[key] = sum;
  }

  OracleLimits limits_;
  BoundedOracle result_;
  std::vector<Event> events_;
  std::map<Key, std::uint32_t> best_;
  std::map<Key, std::vector<std::uint64_t>> counts_;
};

// Stands between engine and search: names what is visited, and counts preemptions by running the choices once more.
class Observer final : public Reduction {
 public:
  Observer(Reduction& inner, const toy::ToyCode& code, toy::ToyOptions options)
      : inner_(inner), initial_(code, options), at_(initial_) {}

  MaybeChoice first_choice(const Program& program) override { return inner_.first_choice(program); }
  void performed(const Program& program, const Event& event) override {
    perform({event.thread, event.outcome});
    inner_.performed(program, event);
    if (!inner_.covered() && !states.insert(trace_name(events_)).second) ++visited_again;
  }
  void ended(const Program& program, bool cut) override {
    if (!inner_.covered() && (cut || program.enabled().empty())) {
      ++traces[trace_name(events_)];
      most_preemptions = std::max(most_preemptions, preemptions_);
    }
    inner_.ended(program, cut);
  }
  [[nodiscard]] bool covered() const override { return inner_.covered(); }
  std::optional<Branch> backtrack(Prober& prober) override {
    const std::optional<Branch> branch = inner_.backtrack(prober);
    if (!branch) return branch;
    std::vector<Choice> prefix(
        choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(std::min(branch->depth, choices_.size())));
    if (!branch->instead.empty()) {
      prefix.clear();
      for (const PlannedChoice& planned : branch->instead) prefix.push_back(planned.choice);
    }
    at_ = initial_;
    events_.clear();
    choices_.clear();
    preemptions_ = 0;
    for (const Choice choice : prefix) perform(choice);
    return branch;
  }
  [[nodiscard]] std::optional<Ended> gave_up() const override { return inner_.gave_up(); }

  std::map<TraceName, std::size_t> traces;
  std::set<TraceName> states{trace_name({})};
  std::size_t visited_again = 0;
  std::uint32_t most_preemptions = 0;

 private:
  void perform(Choice choice) {
    if (!choices_.empty()) preemptions_ += preemption(at_, choices_.back().thread, choice.thread);
    events_.push_back(at_.step(choice));
    choices_.push_back(choice);
  }

  Reduction& inner_;
  ToyProgram initial_;
  ToyProgram at_;
  std::vector<Event> events_;
  std::vector<Choice> choices_;
  std::uint32_t preemptions_ = 0;
};

std::set<TraceName> within(const std::map<TraceName, std::uint32_t>& least, std::uint32_t bound) {
  std::set<TraceName> names;
  for (const auto& [name, preemptions] : least) {
    if (preemptions <= bound) names.insert(name);
  }
  return names;
}

std::optional<std::string> wrong_traces(const Observer& seen, const BoundedOracle& oracle, const BoundedCase& tried) {
  const std::set<TraceName> expected = within(oracle.traces, tried.bounds.last);
  std::size_t missing = 0;
  for (const TraceName& name : expected) missing += seen.traces.contains(name) ? 0U : 1U;
  if (missing > 0) return fmt::format("{} of {} traces are missing", missing, expected.size());
  for (const auto& [name, times] : seen.traces) {
    if (!expected.contains(name)) return "a trace beyond the bound was run: " + name;
    if (times > 1 && tried.kind != BoundKind::Plain) return fmt::format("a trace was run {} times: {}", times, name);
  }
  return std::nullopt;
}

std::optional<std::string> wrong_reports(const HbSearch& search, const BoundedOracle& oracle, const Observer& seen,
                                         const BoundedCase& tried) {
  for (const BoundReport& report : search.reports()) {
    std::uint64_t expected = within(oracle.traces, report.bound).size();
    if (report.bound > tried.bounds.first) expected -= within(oracle.traces, report.bound - 1).size();
    if (report.executions != expected) {
      return fmt::format("{} executions for bound {} instead of {}", report.executions, report.bound, expected);
    }
    if (tried.kind != BoundKind::AllStates) continue;
    if (const std::size_t states = within(oracle.states, report.bound).size(); report.states != states) {
      return fmt::format("{} states within bound {} instead of {}", report.states, report.bound, states);
    }
  }
  if (tried.kind == BoundKind::AllStates) {
    if (seen.visited_again > 0) return fmt::format("{} states were visited again", seen.visited_again);
    if (seen.states != within(oracle.states, tried.bounds.last))
      return "the states visited are not those within the bound";
  }
  const bool everything = within(oracle.traces, tried.bounds.last).size() == oracle.traces.size();
  if (search.everything() && !everything) return "it says that nothing was left out";
  return std::nullopt;
}

class SleepWithBound {
 public:
  SleepWithBound(std::uint32_t bound) : bound_(bound) {}
  std::set<TraceName> traces;

  void explore(const ToyProgram& program, Last last, std::uint32_t preemptions, std::vector<Event> asleep) {
    if (program.enabled().empty()) traces.insert(trace_name(events_));
    for_each_step(program, [&](Choice choice) {
      const auto sleeps = [&](const Event& e) { return e.thread == choice.thread && e.outcome == choice.outcome; };
      if (std::any_of(asleep.begin(), asleep.end(), sleeps)) return;
      ToyProgram next = program;
      const Event event = next.step(choice);
      const std::uint32_t used = preemptions + preemption(program, last, choice.thread);
      if (used <= bound_) {
        std::vector<Event> still = asleep;
        std::erase_if(still, [&](const Event& sleeper) { return dependent(sleeper, event); });
        events_.push_back(event);
        explore(next, choice.thread, used, still);
        events_.pop_back();
      }
      asleep.push_back(event);
    });
  }

 private:
  std::uint32_t bound_;
  std::vector<Event> events_;
};

}  // namespace

std::uint32_t BoundedOracle::largest_bound() const {
  std::uint32_t largest = 0;
  for (const auto& [name, preemptions] : states) largest = std::max(largest, preemptions);
  return largest;
}

BoundedOracle least_preemptions(const toy::ToyCode& code, toy::ToyOptions options, OracleLimits limits) {
  return Walk(limits).run(ToyProgram(code, options));
}

std::optional<std::string> bounded_complaint(const toy::ToyCode& code, toy::ToyOptions options,
                                             const BoundedCase& tried, const BoundedOracle& oracle) {
  ToyProgram program(code, options);
  const std::unique_ptr<Reduction> reduction =
      make_bounded({.kind = tried.kind, .bounds = tried.bounds}, tried.order, /*exact=*/true);
  Observer observer(*reduction, code, options);
  Collected collected;
  ExploreOptions explore;
  explore.keep_going = true;
  explore.budget.max_executions = 200'000;
  const ExploreResult result = Engine(program, observer, collected, explore).explore();
  if (result.ended != Ended::Complete) return "the search did not come to its end";
  if (observer.most_preemptions > tried.bounds.last) {
    return fmt::format("an execution made {} preemptions", observer.most_preemptions);
  }
  if (auto what = wrong_traces(observer, oracle, tried)) return what;
  if (const auto* search = dynamic_cast<const HbSearch*>(reduction.get())) {
    return wrong_reports(*search, oracle, observer, tried);
  }
  std::uint64_t expected = 0;
  for (std::uint32_t p = 0; p <= tried.bounds.last && p < oracle.interleavings.size(); ++p) {
    expected += oracle.interleavings[p];
  }
  const std::uint64_t executions = result.statistics.executions + result.statistics.abandoned;
  if (executions != expected) return fmt::format("{} interleavings instead of {}", executions, expected);
  return std::nullopt;
}

std::set<TraceName> naive_combination(const toy::ToyCode& code, toy::ToyOptions options, std::uint32_t bound) {
  SleepWithBound naive(bound);
  naive.explore(ToyProgram(code, options), std::nullopt, 0, {});
  return naive.traces;
}

}  // namespace heddle::differential
