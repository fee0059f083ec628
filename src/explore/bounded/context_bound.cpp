#include "explore/bounded/context_bound.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace heddle {

// 1 if a switch between the threads is a preemption: the one that stops could go on.
std::uint32_t ContextBound::cost(StateId state, ThreadId from, ThreadId to) const {
  return from != to && states_[state].enabled(from) ? 1U : 0U;
}

bool ContextBound::know(StateId state, Prober& prober) {
  if (states_[state].known) return true;
  const Program* program = prober.visit(states_.schedule(state));
  if (program == nullptr) return false;
  states_.learn_steps(state, *program);
  return true;
}

void ContextBound::note(StateId state, ThreadId thread, std::uint32_t preemptions, ThreadId via) {
  Departure& departure = states_.departure(state, thread);
  if (preemptions >= departure.most) return;
  departure.most = preemptions;
  departure.via = via;
}

std::optional<bool> ContextBound::known_answer(const Question& question) {
  Departure& known = states_.departure(question.state, question.thread);
  if (question.state == kInitialState) known.most = 0;
  if (known.most <= question.bound) return true;
  if (known.least > question.bound) return false;
  return std::nullopt;
}

// Finds the threads that may have stepped last; false if the question cannot be pursued any more.
bool ContextBound::open(Question& question, Prober& prober) {
  question.open = true;
  if (full() || !know(question.state, prober)) {
    gave_up_ = true;
    return false;
  }
  states_.frontier(question.state, question.frontier);
  // From the back: the same thread, which costs nothing; then those that could not go on; then preemptions.
  const auto rank = [&](ThreadId from) {
    return from == question.thread ? 0U : 1U + cost(question.state, from, question.thread);
  };
  std::stable_sort(question.frontier.begin(), question.frontier.end(),
                   [&](ThreadId a, ThreadId b) { return rank(a) > rank(b); });
  // A preemption too many here is one too many for every execution that comes by this thread.
  std::erase_if(question.frontier,
                [&](ThreadId from) { return cost(question.state, from, question.thread) > question.bound; });
  return true;
}

void ContextBound::learn_from_predecessor(const Question& question) {
  const ThreadId via = question.frontier.back();
  const StateId before = states_.find_predecessor(question.state, via);
  const Departure found = states_.departure(before, via);
  const Event& event = states_.action(states_[question.state].last_of(via)).event;
  states_.learn_next(before, {via, event.outcome}, question.state);
  const std::uint32_t extra = cost(question.state, via, question.thread);
  if (found.most != kNoId) note(question.state, question.thread, found.most + extra, via);
}

bool ContextBound::at_most(StateId state, ThreadId thread, std::uint32_t bound, Prober& prober) {
  // An explicit stack: the recursion is as deep as executions are long.
  questions_.clear();
  questions_.push_back({state, thread, bound, {}});
  bool answer = false;
  while (!questions_.empty()) {
    Question& question = questions_.back();
    const bool resumed = question.open;
    if (resumed) {
      learn_from_predecessor(question);
      question.frontier.pop_back();
    }
    if (const std::optional<bool> known = known_answer(question)) {
      answer = *known;
      questions_.pop_back();
      continue;
    }
    if (!resumed && !open(question, prober)) return false;
    if (question.frontier.empty()) {
      Departure& known = states_.departure(question.state, question.thread);
      known.least = std::max(known.least, question.bound + 1);
      answer = false;
      questions_.pop_back();
      continue;
    }
    const ThreadId via = question.frontier.back();
    const std::uint32_t left = question.bound - cost(question.state, via, question.thread);
    questions_.push_back({states_.add_predecessor(question.state, via), via, left, {}});
  }
  return answer;
}

BestOrder ContextBound::best_order(StateId state, ThreadId thread) {
  BestOrder best;
  bool last = true;
  while (state != kInitialState) {
    const ThreadId via = states_.departure(state, thread).via;
    if (!last) best.preemptions += cost(state, via, thread);
    last = false;
    best.actions.push_back(states_[state].last_of(via));
    state = states_.find_predecessor(state, via);
    HEDDLE_REQUIRE(state != kNoId, "the best way to a state leads through states that are known");
    thread = via;
  }
  std::reverse(best.actions.begin(), best.actions.end());
  return best;
}

}  // namespace heddle
