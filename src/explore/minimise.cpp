#include "explore/minimise.hpp"

#include <algorithm>
#include <optional>

#include "explore/guided_run.hpp"

namespace heddle {
namespace {

constexpr std::size_t kLongerBy = 100;

class Minimiser {
 public:
  Minimiser(Program& program, const Finding& finding, const MinimiseLimits& limits)
      : program_(program), finding_(finding), limits_(limits) {}

  std::optional<Minimised> run(const std::vector<PlannedChoice>& schedule) {
    result_.schedule = schedule;
    const GuidedRun first = run_guided(program_, schedule, {}, schedule.size(), &finding_);
    events_ += first.schedule.size();
    if (!shows(first)) return std::nullopt;
    result_.before = result_.after = measure_of(first.schedule, first.preemptions);
    improve_blocks();
    search_in_order();
    return result_;
  }

 private:
  [[nodiscard]] bool shows(const GuidedRun& run) const {
    return run.end == GuidedRun::End::Failed && run.finding && same_finding(*run.finding, finding_);
  }
  static Measure measure_of(const std::vector<PlannedChoice>& schedule, std::size_t preemptions) {
    Measure measure{preemptions, schedule.size(), 0};
    for (const PlannedChoice& planned : schedule) measure.data += planned.choice.outcome;
    return measure;
  }
  bool exhausted() {
    exhausted_ = exhausted_ || events_ >= limits_.events || limits_.give_up();
    return exhausted_;
  }

  // --- moving blocks

  // Whether the wishes lead to the finding in a smaller way; then they become the best known.
  bool improves(const std::vector<Choice>& wishes) {
    if (exhausted()) return false;
    const GuidedRun run = run_guided(program_, {}, wishes, result_.schedule.size(), &finding_);
    events_ += run.schedule.size() + 1;
    if (!shows(run)) return false;
    const Measure measure = measure_of(run.schedule, run.preemptions);
    if (!(measure < result_.after)) return false;
    result_.after = measure;
    result_.schedule = run.schedule;
    return true;
  }

  [[nodiscard]] std::vector<std::vector<Choice>> blocks() const {
    std::vector<std::vector<Choice>> blocks;
    for (const PlannedChoice& planned : result_.schedule) {
      if (blocks.empty() || blocks.back().back().thread != planned.choice.thread) blocks.emplace_back();
      blocks.back().push_back(planned.choice);
    }
    return blocks;
  }

  static std::vector<Choice> joined(const std::vector<std::vector<Choice>>& blocks) {
    std::vector<Choice> all;
    for (const auto& block : blocks) all.insert(all.end(), block.begin(), block.end());
    return all;
  }

  bool improve_block(std::size_t at) {
    const auto all = blocks();
    const ThreadId thread = all[at].front().thread;
    const auto of_thread = [&](const std::vector<Choice>& block) { return block.front().thread == thread; };
    std::vector<std::vector<Choice>> without = all;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
    const auto here = without.begin() + static_cast<std::ptrdiff_t>(at);
    if (const auto next = std::find_if(here, without.end(), of_thread); next != without.end()) {
      auto moved = without;
      moved.insert(moved.begin() + (next - without.begin()), all[at]);
      if (improves(joined(moved))) return true;
    }
    if (const auto previous = std::find_if(std::make_reverse_iterator(here), without.rend(), of_thread);
        previous != without.rend()) {
      auto moved = without;
      moved.insert(moved.begin() + (previous.base() - without.begin()), all[at]);
      if (improves(joined(moved))) return true;
    }
    return improves(joined(without));
  }

  bool lower_choices() {
    for (std::size_t i = 0; i < result_.schedule.size(); ++i) {
      for (Outcome lower = 0; lower < result_.schedule[i].choice.outcome; ++lower) {
        std::vector<Choice> wishes = joined(blocks());
        wishes[i].outcome = lower;
        if (improves(wishes)) return true;
      }
    }
    return false;
  }

  void improve_blocks() {
    for (bool better = true; better && !exhausted();) {
      better = false;
      for (std::size_t at = blocks().size(); at-- > 0 && !better;) better = improve_block(at);
      better = better || lower_choices();
    }
    exhausted_ = false;  // the search in order may still be short
  }

  // --- all executions with at most so many preemptions

  struct Option {
    PlannedChoice planned;
    std::size_t cost = 0;  // 1: a preemption
  };
  struct Node {
    std::vector<Option> left;  // still to be tried at this state, last first
    PlannedChoice taken;
    std::size_t preemptions = 0;  // up to and with the choice taken
  };

  void search_in_order() {
    for (std::size_t bound = 0;; ++bound) {
      // Everything below the bound has been looked at.
      result_.fewest_preemptions = bound == result_.after.preemptions && !cut_;
      search(bound);
      if (exhausted_) return;
      if (result_.after.preemptions > bound) continue;
      result_.fewest_preemptions = result_.smallest = !cut_;
      return;
    }
  }

  void search(std::size_t bound) {
    path_.clear();
    while (!exhausted() && run_on(bound) && go_back()) {
    }
  }

  // From the end of the path to the end of an execution; false if the program cannot be trusted any more.
  bool run_on(std::size_t bound) {
    program_.restart();
    std::vector<PlannedChoice> prefix;
    for (const Node& node : path_) prefix.push_back(node.taken);
    if (!prefix.empty()) {
      const PlannedChoice last = prefix.back();
      prefix.pop_back();
      if (program_.run(prefix) < prefix.size()) return give_up();
      program_.step(last.choice);
    }
    ++events_;
    for (;;) {
      if (program_.phase() == ProgramPhase::Refused || program_.phase() == ProgramPhase::Revised) return give_up();
      if (program_.abandoned()) return true;
      // A thread that fails otherwise is stopped; the others run on.
      if (const Finding* raised = program_.raised(); raised != nullptr && same_finding(*raised, finding_)) {
        return note(*raised);
      }
      if (program_.phase() == ProgramPhase::Failed || program_.enabled().empty()) {
        const std::optional<Finding> finding = program_.conclude();
        return !finding || note(*finding);
      }
      if (hopeless(bound)) return true;
      push(bound);
      take();
      program_.step(path_.back().taken.choice);
      ++events_;
    }
  }

  // Whether everything from here on is at least as large as the best execution known, or absurdly long: then nothing
  // is proved by not finding anything.
  [[nodiscard]] bool hopeless(std::size_t bound) {
    const std::size_t length = path_.size() + 1;
    if (bound < result_.after.preemptions) {
      if (length <= 2 * result_.before.length + kLongerBy) return false;
      cut_ = true;
      return true;
    }
    return length >= result_.after.length && !(length == result_.after.length && data() < result_.after.data);
  }

  [[nodiscard]] std::uint64_t data() const {
    std::uint64_t sum = 0;
    for (const Node& node : path_) sum += node.taken.choice.outcome;
    return sum;
  }

  [[nodiscard]] std::size_t preemptions() const { return path_.empty() ? 0 : path_.back().preemptions; }

  // A new state: the thread that ran last first, the others only if the bound allows.
  void push(std::size_t bound) {
    Node node;
    const bool goes_on = !path_.empty() && program_.enabled().contains(path_.back().taken.choice.thread);
    const auto add = [&](ThreadId thread, std::size_t cost) {
      const ThreadState& state = program_.thread(thread);
      for (Outcome outcome = state.outcomes.end(); outcome-- > state.outcomes.first;) {
        node.left.push_back({{{thread, outcome}, digest(state.pending)}, cost});
      }
    };
    if (!goes_on || preemptions() < bound) {
      for (auto thread = program_.enabled().last(); thread; thread = program_.enabled().before(*thread)) {
        if (!goes_on || *thread != path_.back().taken.choice.thread) add(*thread, goes_on ? 1 : 0);
      }
    }
    if (goes_on) add(path_.back().taken.choice.thread, 0);
    path_.push_back(std::move(node));
  }

  void take() {
    Node& node = path_.back();
    const Option option = node.left.back();
    node.left.pop_back();
    node.taken = option.planned;
    node.preemptions = option.cost + (path_.size() > 1 ? path_[path_.size() - 2].preemptions : 0);
  }

  // To the deepest state with something left to try; false if there is none.
  bool go_back() {
    while (!path_.empty() && path_.back().left.empty()) path_.pop_back();
    if (path_.empty()) return false;
    take();
    return true;
  }

  bool note(const Finding& finding) {
    if (!same_finding(finding, finding_)) return true;
    std::vector<PlannedChoice> schedule;
    for (const Node& node : path_) schedule.push_back(node.taken);
    const Measure measure = measure_of(schedule, preemptions());
    if (measure < result_.after) {
      result_.after = measure;
      result_.schedule = std::move(schedule);
    }
    return true;
  }

  bool give_up() {
    exhausted_ = true;
    return false;
  }

  Program& program_;
  const Finding& finding_;
  const MinimiseLimits& limits_;
  Minimised result_;
  std::vector<Node> path_;
  std::size_t events_ = 0;
  bool exhausted_ = false;
  bool cut_ = false;
};

}  // namespace

std::optional<Minimised> minimise(Program& program, const std::vector<PlannedChoice>& schedule, const Finding& finding,
                                  const MinimiseLimits& limits) {
  return Minimiser(program, finding, limits).run(schedule);
}

}  // namespace heddle
