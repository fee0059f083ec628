#include "symbolic/bounded_check.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "symbolic/independence_table.hpp"
#include "symbolic/possible.hpp"

namespace heddle::symbolic {
namespace {

using Clock = std::chrono::steady_clock;

// What a step may have been: enough to read a schedule out of an assignment.
struct Candidate {
  ThreadIndex thread;
  Term taken;
  std::string label;
  std::vector<Term> outcomes;
  std::vector<Input> inputs;
};

class BoundedCheck {
 public:
  BoundedCheck(Automata& automata, Solver& solver, const CheckRequest& request)
      : automata_(automata),
        pool_(automata.pool()),
        solver_(solver),
        request_(request),
        end_(Clock::now() + request.time) {}

  CheckResult run() {
    pool_.limit(end_);
    result_.depths.push_back({.depth = 0, .seconds = 0, .terms = 0, .statistics = {}});
    try {
      unrolling_.emplace(automata_, request_.unroll);
      search();
    } catch (const OutOfTime&) {
      end(Outcome::OutOfTime);
    }
    pool_.limit(Clock::time_point::max());
    result_.independence = independence_.text();
    return std::move(result_);
  }

 private:
  void search() {
    for (std::size_t depth = 0;; ++depth) {
      result_.depth = depth;
      if (depth > 0) result_.depths.push_back({.depth = depth, .seconds = 0, .terms = 0, .statistics = {}});
      for (const Term restriction : unrolling_->frame().restrictions) require(restriction);
      // That it was covered means that nothing was wrong there, and that some execution went on.
      const bool covered = depth < request_.covered.size();
      if (covered) require(pool_.negate(unrolling_->frame().bad));
      if (!covered && refuted()) return keep_independence();
      const bool last = depth == request_.steps;
      if (!last) narrow();
      keep_independence();
      if (last || (!covered && unrolling_->frame().may_end)) {
        const Answer goes_on = ask(unrolling_->frame().can_go_on);
        if (goes_on == Answer::Unknown) return end(Outcome::OutOfTime);
        if (goes_on == Answer::Unsatisfiable) return end(Outcome::Complete);
      }
      if (last) return end(Outcome::Bounded);
      if (Clock::now() > end_) return end(Outcome::OutOfTime);
      remember();
      for (const Term constraint : unrolling_->step()) require(constraint);
      close_depth();
      if (covered) {
        result_.depths.back() = request_.covered[depth];
      } else if (request_.covered_one_more) {
        request_.covered_one_more(result_.depths);
      }
    }
  }

  void keep_independence() {
    if (request_.keep_independence) independence_.add(automata_, *unrolling_);
  }

  void end(Outcome outcome) {
    close_depth();
    if (request_.keep_formula) result_.formula.push_back(question_);
    result_.outcome = outcome;
  }

  void close_depth() {
    DepthFigures& figures = result_.depths.back();
    figures.terms = pool_.size();
    figures.statistics = solver_.statistics();
    if (request_.covered.empty()) return;
    const SolverStatistics& before = request_.covered.back().statistics;
    figures.statistics.conflicts += before.conflicts;
    figures.statistics.decisions += before.decisions;
    figures.statistics.propagations += before.propagations;
  }

  void require(Term term) {
    if (request_.keep_formula) result_.formula.push_back(term);
    solver_.require(term);
  }

  Answer ask(Term question) {
    question_ = question;
    result_.satisfiable = false;
    if (pool_.is_false(question)) return Answer::Unsatisfiable;
    const auto begin = Clock::now();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - begin);
    if (left.count() <= 0) return Answer::Unknown;
    solver_.limit(left);
    const Answer answer = solver_.check({&question, 1});
    result_.depths.back().seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    result_.satisfiable = answer == Answer::Satisfiable;
    return answer;
  }

  void narrow() {
    const Question question = [this](Term term) { return ask(term); };
    unrolling_->narrow([&](const std::vector<Term>& terms) { return possible(pool_, solver_, question, terms); });
  }

  // Whether something is wrong in the state reached; if so, the result says what.
  bool refuted() {
    const Term bad = unrolling_->frame().bad;
    const Answer answer = ask(bad);
    if (answer == Answer::Unsatisfiable) {
      require(pool_.negate(bad));
      return false;
    }
    if (answer == Answer::Satisfiable) {
      result_.counterexample = read_counterexample();
    }
    end(answer == Answer::Satisfiable ? Outcome::Failed : Outcome::OutOfTime);
    return true;
  }

  [[nodiscard]] bool holds(Term term) { return solver_.value(term) != 0; }

  std::vector<std::uint64_t> values(const std::vector<Term>& terms, std::size_t count) {
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i < std::min(count, terms.size()); ++i) found.push_back(solver_.value(terms[i]));
    return found;
  }

  std::vector<ChosenInput> chosen(const std::vector<Input>& inputs) {
    std::vector<ChosenInput> found;
    for (const Input& input : inputs) found.push_back({input.name, solver_.value(input.value)});
    return found;
  }

  std::string label(const Effect& effect) {
    return automata_.transitions(effect.thread, effect.source)[effect.number].label;
  }

  // Called before the step is taken: what it may be. The variables that say who runs come with the step.
  void remember() {
    std::vector<Candidate> candidates;
    for (const Effect& effect : unrolling_->frame().effects) {
      if (pool_.is_false(effect.enabled)) continue;
      candidates.push_back({effect.thread, effect.enabled, label(effect), effect.outcomes, effect.inputs});
    }
    history_.push_back(std::move(candidates));
  }

  Counterexample read_counterexample() {
    Counterexample found;
    for (std::size_t k = 0; k < history_.size(); ++k) {
      for (const Candidate& candidate : history_[k]) {
        const Term run = unrolling_->run(k, candidate.thread);
        if (!holds(run) || !holds(candidate.taken)) continue;
        found.steps.push_back(
            {candidate.thread, candidate.label, values(candidate.outcomes, ~std::size_t{0}), chosen(candidate.inputs)});
        break;
      }
    }
    HEDDLE_REQUIRE(found.steps.size() == history_.size(), "every step of a counterexample is known");
    const Frame& frame = unrolling_->frame();
    for (const Effect& effect : frame.effects) {
      for (const Failing& failing : effect.failings) {
        if (automata_.failure(failing.failure).abandons || !holds(failing.condition)) continue;
        found.fault = Fault::Failure;
        found.failure = failing.failure;
        found.threads = {effect.thread};
        found.steps.push_back(
            {effect.thread, label(effect), values(effect.outcomes, failing.events), chosen(effect.inputs)});
        return found;
      }
    }
    for (const Racing& race : frame.races) {
      if (!holds(race.condition)) continue;
      found.fault = Fault::DataRace;
      for (const std::size_t i : {race.first, race.second}) {
        const Effect& effect = frame.effects[i];
        found.threads.push_back(effect.thread);
        found.steps.push_back(
            {effect.thread, label(effect), values(effect.outcomes, ~std::size_t{0}), chosen(effect.inputs)});
      }
      return found;
    }
    HEDDLE_REQUIRE(holds(frame.deadlock), "a counterexample fails in one of the known ways");
    found.fault = Fault::Deadlock;
    return found;
  }

  Automata& automata_;
  TermPool& pool_;
  Solver& solver_;
  const CheckRequest& request_;
  std::optional<Unrolling> unrolling_;  // made by run: that takes time, too
  Clock::time_point end_;
  std::vector<std::vector<Candidate>> history_;
  IndependenceTable independence_;
  Term question_;
  CheckResult result_;
};

}  // namespace

CheckResult bounded_check(Automata& automata, Solver& solver, const CheckRequest& request) {
  return BoundedCheck(automata, solver, request).run();
}

}  // namespace heddle::symbolic
