#include "explore/stateful/livelock.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/contract.hpp"
#include "explore/stateful/footprint.hpp"

namespace heddle {

IdleGraph::IdleGraph(const Processes& processes, std::uint64_t most_bytes)
    : processes_(processes), lock_(processes, 64), edges_(processes, most_bytes) {
  lock_.grow(1);
}

void IdleGraph::add(Edge edge) {
  // Without room, a state stands as one that has other transitions: a livelock may go unnoticed, as the statement of a
  // search that ran out of memory says of everything else.
  if (edges_.has_room(1)) edges_.push_back(edge);
}

void IdleGraph::note(StateNumber state, std::span<const StateNumber> successors) {
  const Holding holding(lock_[0], processes_);
  if (!edges_.has_room(successors.size() + 1)) return;
  add({state, state});
  for (const StateNumber successor : successors) {
    if (successor != state) add({state, successor});
  }
}

void IdleGraph::note_other(StateNumber state) {
  const Holding holding(lock_[0], processes_);
  add({state, kNoState});
}

std::vector<StateNumber> IdleGraph::candidates() const {
  std::unordered_map<StateNumber, std::vector<StateNumber>> predecessors;
  std::unordered_set<StateNumber> remaining;
  for (std::uint64_t i = 0; i < edges_.size(); ++i) {
    if (edges_[i].to == edges_[i].from) remaining.insert(edges_[i].from);
    if (edges_[i].to != kNoState) predecessors[edges_[i].to].push_back(edges_[i].from);
  }
  // Who leads to a state that is not among them is not one of them either.
  std::vector<StateNumber> leave;
  for (std::uint64_t i = 0; i < edges_.size(); ++i) {
    if (edges_[i].to == kNoState || !remaining.contains(edges_[i].to)) leave.push_back(edges_[i].from);
  }
  while (!leave.empty()) {
    const StateNumber state = leave.back();
    leave.pop_back();
    if (remaining.erase(state) == 0) continue;
    const auto found = predecessors.find(state);
    if (found != predecessors.end()) leave.insert(leave.end(), found->second.begin(), found->second.end());
  }
  std::vector<StateNumber> left(remaining.begin(), remaining.end());
  std::sort(left.begin(), left.end());
  return left;
}

namespace {

constexpr std::size_t kLongestLoop = 1U << 20U;

// Looks at one thread of a program at a time, the others standing still.
class Alone {
 public:
  Alone(Program& program, ThreadId thread) : program_(program), thread_(thread) {}

  // Runs until the thread waits, ends, or comes back to a state that it was in: then to just there, once round less
  // than it could. The choices made are appended; nothing if there is no end to it.
  bool run_into_loop(std::vector<Choice>& stem) {
    std::vector<std::vector<std::byte>> seen{state()};
    while (program_.enabled().contains(thread_)) {
      if (seen.size() > kLongestLoop) return false;
      stem.push_back(step());
      if (program_.phase() != ProgramPhase::Running || program_.raised() != nullptr) return false;
      std::vector<std::byte> here = state();
      if (std::find(seen.begin(), seen.end(), here) != seen.end()) return true;
      seen.push_back(std::move(here));
    }
    return true;
  }

  // From a state in a loop, once round.
  std::vector<Choice> round() {
    std::vector<Choice> loop;
    const std::vector<std::byte> start = state();
    do {
      loop.push_back(step());
      HEDDLE_REQUIRE(loop.size() <= kLongestLoop, "a loop that a thread is in does not lead back");
    } while (state() != start);
    return loop;
  }

  // Whether all that the thread can do from here, whichever outcomes its steps have, is idle and has no end.
  bool spins_for_ever() {
    std::vector<StateHandle> work{program_.save()};
    std::vector<std::vector<std::byte>> seen{state()};
    bool spins = true;
    while (!work.empty()) {
      const StateHandle from = work.back();
      work.pop_back();
      program_.restore(from);
      const Outcomes outcomes = program_.thread(thread_).outcomes;
      if (outcomes.count == 0) spins = false;
      for (Outcome outcome = outcomes.first; spins && outcome < outcomes.end(); ++outcome) {
        program_.restore(from);
        const Event event = program_.step({thread_, outcome});
        spins = program_.phase() == ProgramPhase::Running && is_idle(program_, event) && seen.size() < kLongestLoop;
        std::vector<std::byte> here = state();
        if (!spins || std::find(seen.begin(), seen.end(), here) != seen.end()) continue;
        seen.push_back(std::move(here));
        work.push_back(program_.save());
      }
      program_.release(from);
    }
    return spins;
  }

 private:
  Choice step() {
    const Choice choice{thread_, program_.thread(thread_).outcomes.first};
    program_.step(choice);
    return choice;
  }

  std::vector<std::byte> state() {
    program_.describe(parts_);
    return bytes_of(parts_);
  }

  Program& program_;
  ThreadId thread_;
  std::vector<StatePart> parts_;
};

}  // namespace

namespace {

bool run_all_into_loops(Program& program, std::vector<Choice>& stem) {
  for (std::size_t t = 0; t < program.thread_count(); ++t) {
    if (!Alone(program, ThreadId{static_cast<std::uint16_t>(t)}).run_into_loop(stem)) return false;
  }
  return true;
}

}  // namespace

Finding livelock_finding(const ThreadSet& spinning, std::size_t steps) {
  const std::size_t threads = spinning.size();
  Finding finding{FindingKind::Livelock,
                  std::to_string(threads) + (threads == 1 ? " thread runs" : " threads run") + " round a loop of " +
                      std::to_string(steps) + (steps == 1 ? " step" : " steps") +
                      " for ever: nothing changes there, and nobody can change what they wait for",
                  spinning.first().value(), 0, static_cast<std::uint64_t>(FindingKind::Livelock) << 56U};
  finding.loop = steps;
  return finding;
}

std::optional<Lasso> lasso(Program& program) {
  Lasso found;
  const std::size_t threads = program.thread_count();
  if (!run_all_into_loops(program, found.stem)) return std::nullopt;
  const StateHandle into = program.save();
  bool livelock = !program.enabled().empty() && !program.abandoned() && program.thread_count() == threads;
  // Twice: which writes nobody else can see is known only when all the loops have been run once.
  for (std::size_t t = 0; livelock && t < 2 * threads; ++t) {
    const ThreadId thread{static_cast<std::uint16_t>(t % threads)};
    program.restore(into);
    const ThreadState& state = program.thread(thread);
    if (program.enabled().contains(thread)) {
      livelock = Alone(program, thread).spins_for_ever();
      found.spinning.insert(thread);
    } else {
      // Whoever waits for a limited time would go on some day; a thread that failed ends the process.
      livelock = state.phase != ThreadPhase::Stopped && !(state.phase == ThreadPhase::Pending && state.pending.timed);
    }
  }
  program.restore(into);
  program.release(into);
  if (!livelock) return std::nullopt;
  // What one thread did on its way may have led another out of its loop, into the one it is in from now on.
  HEDDLE_REQUIRE(run_all_into_loops(program, found.stem), "a thread that spins for ever comes to no loop");
  for (auto thread = found.spinning.first(); thread; thread = found.spinning.after(*thread)) {
    const std::vector<Choice> round = Alone(program, *thread).round();
    found.loop.insert(found.loop.end(), round.begin(), round.end());
  }
  return found;
}

}  // namespace heddle
