#include "explore/stateful/crew.hpp"

#include <algorithm>

namespace heddle {
namespace {

std::uint32_t load(const std::uint32_t& word) {
  return std::atomic_ref(const_cast<std::uint32_t&>(word)).load(std::memory_order_relaxed);
}

}  // namespace

Crew::Crew(const Processes& processes, std::uint64_t most_bytes)
    : processes_(processes),
      board_(processes, sizeof(Board)),
      offers_(processes, most_bytes),
      findings_(processes, most_bytes),
      ways_(processes, most_bytes),
      waiting_(processes, most_bytes) {
  board_.grow(1);
  board().members = 1;
}

void Crew::stop(Ended reason) {
  std::uint32_t none = 0;
  std::atomic_ref(board().stop).compare_exchange_strong(none, 1 + static_cast<std::uint32_t>(reason));
}

std::optional<Ended> Crew::stopped() const {
  const std::uint32_t stop = load(board().stop);
  if (stop == 0) return std::nullopt;
  return static_cast<Ended>(stop - 1);
}

bool Crew::hire(unsigned others) {
  board().members = 1;
  for (unsigned i = 0; i < others; ++i) {
    std::atomic_ref(board().members).fetch_add(1);
    const int child = processes_.fork();
    if (child == 0) {
      children_.clear();
      return true;
    }
    if (child < 0) {
      // The search goes on with those there are.
      std::atomic_ref(board().members).fetch_sub(1);
      break;
    }
    children_.push_back(child);
  }
  return false;
}

bool Crew::wanted() const { return load(board().hungry) > 0 && board().taken == offers_.size(); }

void Crew::offer(StateNumber state) {
  const Holding holding(board().lock, processes_);
  offers_.push_back(state);
}

std::optional<StateNumber> Crew::wait_for_work() {
  std::atomic_ref(board().hungry).fetch_add(1);
  for (;;) {
    {
      const Holding holding(board().lock, processes_);
      if (stopped()) return std::nullopt;
      if (board().taken < offers_.size() && board().pause == 0) {
        std::atomic_ref(board().hungry).fetch_sub(1);
        return offers_[board().taken++];
      }
      // Nobody works, so nobody will offer anything any more.
      if (load(board().hungry) == load(board().members)) return std::nullopt;
    }
    if (somebody_died()) stop(Ended::WorkerDied);
    processes_.pause();
  }
}

bool Crew::somebody_died() {
  for (int& child : children_) {
    if (child == 0) continue;
    switch (processes_.look_after(child, false)) {
      case Processes::Child::Runs: break;
      case Processes::Child::Ended: child = 0; break;
      case Processes::Child::Died: child = 0; return true;
    }
  }
  return false;
}

bool Crew::dismiss() {
  bool well = true;
  for (const int child : children_) {
    if (child != 0) well = processes_.look_after(child, true) == Processes::Child::Ended && well;
  }
  children_.clear();
  return well;
}

void Crew::leave() {
  processes_.exit();
  broken_contract(__FILE__, __LINE__, "a process that was to end goes on");
}

Crew::WayAt Crew::keep(StateNumber from, std::span<const Segment> way) {
  const WayAt at{from, static_cast<std::uint32_t>(way.size()), ways_.size()};
  for (const Segment& segment : way) ways_.push_back(segment);
  return at;
}

NotedWay Crew::way_at(const WayAt& at) const {
  NotedWay noted{at.from, {}};
  for (std::uint32_t i = 0; i < at.segments; ++i) noted.way.push_back(ways_[at.first + i]);
  return noted;
}

void Crew::refuse(StateNumber from, std::span<const Segment> way) {
  const Holding holding(board().lock, processes_);
  if (stopped()) return;
  board().refused = keep(from, way);
  stop(Ended::Refused);
}

void Crew::note(const Finding& finding, StateNumber from, std::span<const Segment> way) {
  const Holding holding(board().lock, processes_);
  Note noted{finding.kind, finding.thread.value, finding.memory, finding.key, keep(from, way), {}};
  finding.message.copy(noted.message.data(), kMessage - 1);
  findings_.push_back(noted);
}

NotedFinding Crew::finding(std::uint64_t number) const {
  const Note& noted = findings_[number];
  return {way_at(noted.way), {noted.kind, noted.message.data(), ThreadId{noted.thread}, noted.memory, noted.key}};
}

void Crew::add(const Statistics& statistics) {
  const Holding holding(board().lock, processes_);
  Statistics& total = board().total;
  total.events += statistics.events;
  total.replayed += statistics.replayed;
  total.transitions += statistics.transitions;
  total.max_depth = std::max(total.max_depth, statistics.max_depth);
  total.threads = std::max(total.threads, statistics.threads);
}

Statistics Crew::total() const { return board().total; }

bool Crew::pause() {
  // Those that stopped for the last one may not have gone on yet.
  while (load(board().parked) != 0) {
    if (stopped()) return false;
    processes_.pause();
  }
  waiting_.clear();
  {
    const Holding holding(board().lock, processes_);
    board().pause = 1;
  }
  for (;;) {
    {
      // Who has nothing to do gets nothing either, while the lock is held or the others pause.
      const Holding holding(board().lock, processes_);
      if (load(board().hungry) + board().parked + 1 == load(board().members)) return true;
    }
    if (somebody_died()) stop(Ended::WorkerDied);
    if (stopped()) return false;
    processes_.pause();
  }
}

void Crew::go_on() { std::atomic_ref(board().pause).store(0); }

bool Crew::paused() const { return load(board().pause) != 0; }

void Crew::park(std::span<const StateNumber> waiting) {
  leave_behind(waiting);
  std::atomic_ref(board().parked).fetch_add(1);
  while (paused() && !stopped()) processes_.pause();
  std::atomic_ref(board().parked).fetch_sub(1);
}

void Crew::leave_behind(std::span<const StateNumber> waiting) {
  const Holding holding(board().lock, processes_);
  for (const StateNumber state : waiting) waiting_.push_back(state);
}

std::vector<StateNumber> Crew::waiting() const {
  std::vector<StateNumber> states(waiting_.data(), waiting_.data() + waiting_.size());
  for (std::uint64_t i = board().taken; i < offers_.size(); ++i) states.push_back(offers_[i]);
  // A process that the end of the search finds parked has left its states twice.
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

void Crew::archive(Archive& archive) {
  findings_.archive(archive);
  ways_.archive(archive);
  archive(board().total);
}

}  // namespace heddle
