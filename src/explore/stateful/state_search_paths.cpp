// The part of a search over states that follows paths: schedules of findings, lassos, work handed over by number.
#include <algorithm>

#include "base/contract.hpp"
#include "explore/stateful/state_search.hpp"

namespace heddle {
namespace {

constexpr std::size_t kEnoughToShare = 16;  // states waiting, before the process forks
constexpr std::size_t kMostOffered = 4;     // at once

std::string livelock_message(std::size_t spinning, std::size_t steps) {
  return std::to_string(spinning) + (spinning == 1 ? " thread runs" : " threads run") + " round a loop of " +
         std::to_string(steps) + (steps == 1 ? " step" : " steps") +
         " for ever: nothing changes there, and nobody can change what they wait for";
}

}  // namespace

std::vector<PlannedChoice> StateSearch::walk(StateNumber state, std::span<const Segment> way) {
  std::vector<Segment> segments(way.rbegin(), way.rend());
  while (state != kNoState && store_.arrival(state).parent != kNoState) {
    const Arrival& arrival = store_.arrival(state);
    segments.push_back({arrival.thread, arrival.outcome, arrival.steps});
    state = arrival.parent;
  }
  at_handle_ = false;
  program_.restart();
  std::vector<PlannedChoice> taken;
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    const ThreadId thread{segment->thread};
    for (std::uint32_t i = 0; i < segment->steps; ++i) {
      HEDDLE_REQUIRE(program_.enabled().contains(thread), "the steps that led to a state cannot be taken again");
      const ThreadState& pending = program_.thread(thread);
      const Outcome outcome = i + 1 == segment->steps ? segment->outcome : pending.outcomes.first;
      taken.push_back({{thread, outcome}, digest(pending.pending)});
      program_.step({thread, outcome});
    }
  }
  own_.replayed += taken.size();
  return taken;
}

void StateSearch::tell_findings() {
  for (; found_ < crew_.findings(); ++found_) {
    const NotedFinding noted = crew_.finding(found_);
    if (std::find(told_.begin(), told_.end(), noted.finding.key) != told_.end()) continue;
    told_.push_back(noted.finding.key);
    listener_.found(noted.finding, walk(noted.from, noted.way));
    at_handle_ = false;
  }
}

void StateSearch::look_for_livelocks() {
  for (const StateNumber candidate : idle_.candidates()) {
    walk(candidate, {});
    const std::optional<Lasso> found = lasso(program_);
    if (!found) continue;
    std::vector<PlannedChoice> schedule = walk(candidate, {});
    Finding finding{FindingKind::Livelock, livelock_message(found->spinning.size(), found->loop.size()),
                    found->spinning.first().value(), 0, static_cast<std::uint64_t>(FindingKind::Livelock) << 56U};
    finding.loop = found->loop.size();
    for (const std::vector<Choice>* part : {&found->stem, &found->loop}) {
      for (const Choice choice : *part) {
        const Operation& pending = program_.thread(choice.thread).pending;
        if (part == &found->loop) finding.key ^= pending.site + choice.thread.value;
        schedule.push_back({choice, digest(pending)});
        program_.step(choice);
      }
    }
    listener_.found(finding, schedule);
    // One is enough: every state round the loop is another.
    if (!options_.explore.keep_going) crew_.stop(Ended::FirstFinding);
    return;
  }
}

bool StateSearch::fetch() {
  const std::optional<StateNumber> state = crew_.wait_for_work();
  if (!state) return false;
  const auto depth = static_cast<std::uint32_t>(walk(*state, {}).size());
  here_ = program_.save();
  at_handle_ = true;
  stack_.push_back({*state, here_, depth, {}});
  return true;
}

void StateSearch::share() {
  if (!forked_) {
    if (stack_.size() < kEnoughToShare) return;
    forked_ = true;
    hired_ = crew_.hire(options_.jobs - 1);
    if (hired_) {
      own_ = {};
      for (const Item& item : stack_) program_.release(item.handle);
      stack_.clear();
    }
    return;
  }
  for (std::size_t i = 0; i < kMostOffered && stack_.size() > 1 && crew_.wanted(); ++i) {
    // The oldest: there is most behind it.
    crew_.offer(stack_.front().state);
    if (at_handle_ && here_ == stack_.front().handle) at_handle_ = false;
    program_.release(stack_.front().handle);
    stack_.pop_front();
  }
}

}  // namespace heddle
