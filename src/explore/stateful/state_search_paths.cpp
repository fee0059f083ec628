// The part of a search over states that follows paths: schedules of findings, lassos, work handed over by number.
#include <algorithm>

#include "base/contract.hpp"
#include "explore/stateful/state_search.hpp"

namespace heddle {
namespace {

constexpr std::size_t kEnoughToShare = 16;  // states waiting, before the process forks
constexpr std::size_t kMostOffered = 4;     // at once

}  // namespace

bool StateSearch::walk(StateNumber state, std::span<const Segment> way) {
  const std::optional<ThreadId> elsewhere = retrace(state, way);
  if (elsewhere) note_nondeterminism(*elsewhere, ", at choice " + std::to_string(walked_.size() + 1));
  return !elsewhere;
}

std::optional<ThreadId> StateSearch::retrace(StateNumber state, std::span<const Segment> way) {
  std::vector<Segment> segments(way.rbegin(), way.rend());
  while (state != kNoState && store_.arrival(state).parent != kNoState) {
    const Arrival& arrival = store_.arrival(state);
    segments.push_back({arrival.thread, arrival.outcome, arrival.steps});
    state = arrival.parent;
  }
  at_handle_ = false;
  program_.restart();
  walked_.clear();
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    const ThreadId thread{segment->thread};
    for (std::uint32_t i = 0; i < segment->steps; ++i) {
      const ThreadState& pending = program_.thread(thread);
      const Outcome outcome = i + 1 == segment->steps ? segment->outcome : pending.outcomes.first;
      const bool possible = program_.phase() == ProgramPhase::Running && program_.enabled().contains(thread) &&
                            outcome >= pending.outcomes.first && outcome < pending.outcomes.end();
      if (!possible) return thread;
      walked_.push_back({{thread, outcome}, digest(pending.pending)});
      program_.step({thread, outcome});
      ++own_.replayed;
    }
  }
  return std::nullopt;
}

void StateSearch::note_nondeterminism(ThreadId thread, const std::string& where) {
  note({FindingKind::Nondeterminism,
        "the same choices made again led the program elsewhere" + where +
            ": it depends on something outside Heddle's control",
        thread, 0, 0x4E4F4E44U},
       kNoState, {});
}

void StateSearch::recheck(const Item& item) {
  put_at(item.handle);
  program_.describe(parts_);
  const std::vector<std::byte> kept = bytes_of(parts_);
  if (!walk(item.state, {})) return;
  program_.describe(parts_);
  if (bytes_of(parts_) != kept) note_nondeterminism(kMainThread, "");
}

void StateSearch::tell_findings() {
  for (; found_ < crew_.findings(); ++found_) {
    const NotedFinding noted = crew_.finding(found_);
    if (std::find(told_.begin(), told_.end(), noted.finding.key) != told_.end()) continue;
    told_.push_back(noted.finding.key);
    if (walk(noted.from, noted.way)) listener_.found(noted.finding, walked_);
    at_handle_ = false;
  }
}

void StateSearch::look_for_livelocks() {
  for (const StateNumber candidate : idle_.candidates()) {
    if (!walk(candidate, {})) return tell_findings();
    const std::optional<Lasso> found = lasso(program_);
    if (!found) continue;
    if (!walk(candidate, {})) return tell_findings();
    Finding finding = livelock_finding(found->spinning, found->loop.size());
    for (const std::vector<Choice>* part : {&found->stem, &found->loop}) {
      for (const Choice choice : *part) {
        const Operation& pending = program_.thread(choice.thread).pending;
        if (part == &found->loop) finding.key ^= pending.site + choice.thread.value;
        walked_.push_back({choice, digest(pending)});
        program_.step(choice);
      }
    }
    listener_.found(finding, walked_);
    // One is enough: every state round the loop is another.
    if (!options_.explore.keep_going) crew_.stop(Ended::FirstFinding);
    return;
  }
}

bool StateSearch::went_round() const {
  // States without a step to one that is left are taken away until none is left, or each has one.
  std::vector<std::vector<StateNumber>> before(store_.size());
  std::vector<std::uint32_t> steps(store_.size(), 0);
  for (const Step& step : steps_) {
    before[step.to].push_back(step.from);
    ++steps[step.from];
  }
  std::vector<StateNumber> ends;
  for (StateNumber state = 0; state < store_.size(); ++state) {
    if (steps[state] == 0) ends.push_back(state);
  }
  std::uint64_t left = store_.size();
  for (; !ends.empty(); --left) {
    const StateNumber end = ends.back();
    ends.pop_back();
    for (const StateNumber from : before[end]) {
      if (--steps[from] == 0) ends.push_back(from);
    }
  }
  return left > 0;
}

bool StateSearch::fetch() {
  add_up();  // who waits for work is not asked to when a checkpoint is written
  const std::optional<StateNumber> state = crew_.wait_for_work();
  if (!state) return false;
  if (!walk(*state, {})) return false;
  const auto depth = static_cast<std::uint32_t>(walked_.size());
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
      for (const Item& item : stack_) release(item);
      stack_.clear();
    }
    return;
  }
  for (std::size_t i = 0; i < kMostOffered && stack_.size() > 1 && crew_.wanted(); ++i) {
    // The oldest: there is most behind it.
    crew_.offer(stack_.front().state);
    release(stack_.front());
    stack_.pop_front();
  }
}

}  // namespace heddle
