#include "differential/await_walk.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <vector>

#include "differential/toy_knowledge.hpp"
#include "explore/engine.hpp"
#include "explore_all.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle::differential {
namespace {

using namespace toy;

using State = std::string;

State state_of(ToyProgram program) {
  std::vector<StatePart> parts;
  program.describe(parts);
  State all;
  for (const StatePart& part : parts) {
    for (const std::byte byte : part.bytes) all += static_cast<char>(byte);
  }
  return all;
}

// Breadth first over states, with the edges turned round in order to find those that reach no end.
class Walk {
 public:
  static constexpr std::size_t kMostStates = 20'000;

  std::optional<Ends> run(const ToyProgram& program) {
    std::vector<ToyProgram> found{program};
    number(program);
    for (std::size_t at = 0; at < found.size(); ++at) {
      if (found.size() > kMostStates) return std::nullopt;
      const ToyProgram here = found[at];
      if (here.enabled().empty()) note_end(at, here);
      // Who waits for a thread that failed does not wait for ever: the process ends.
      if (some_thread_failed(here)) reaching_.push_back(at);
      for (auto t = here.enabled().first(); t; t = here.enabled().after(*t)) {
        const Outcomes outcomes = here.thread(*t).outcomes;
        for (Outcome outcome = outcomes.first; outcome < outcomes.end(); ++outcome) {
          ToyProgram next = here;
          next.step({*t, outcome});
          if (next.raised() != nullptr) ends_.findings.insert(next.raised()->kind);
          const auto [id, is_new] = number(next);
          before_[id].push_back(at);
          if (is_new) found.push_back(next);
        }
      }
    }
    if (count_reaching_an_end() < found.size()) ends_.findings.insert(FindingKind::Livelock);
    return ends_;
  }

 private:
  std::pair<std::size_t, bool> number(const ToyProgram& program) {
    const auto [entry, is_new] = numbers_.try_emplace(state_of(program), numbers_.size());
    return {entry->second, is_new};
  }

  static bool some_thread_failed(const ToyProgram& program) {
    for (std::uint16_t t = 0; t < program.thread_count(); ++t) {
      if (program.thread(ThreadId{t}).phase == ThreadPhase::Stopped) return true;
    }
    return false;
  }

  void note_end(std::size_t at, ToyProgram program) {
    reaching_.push_back(at);
    ends_.states.insert(state_of(program));
    if (const auto finding = program.conclude()) ends_.findings.insert(finding->kind);
  }

  std::size_t count_reaching_an_end() {
    std::set<std::size_t> seen(reaching_.begin(), reaching_.end());
    while (!reaching_.empty()) {
      const std::size_t at = reaching_.back();
      reaching_.pop_back();
      for (const std::size_t earlier : before_[at]) {
        if (seen.insert(earlier).second) reaching_.push_back(earlier);
      }
    }
    return seen.size();
  }

  Ends ends_;
  std::map<State, std::size_t> numbers_;
  std::map<std::size_t, std::vector<std::size_t>> before_;
  std::vector<std::size_t> reaching_;
};

// Stands between engine and reduction and notes the ends that count.
class EndCollector final : public Reduction {
 public:
  EndCollector(Reduction& inner, std::set<State>& states) : inner_(inner), states_(states) {}
  MaybeChoice first_choice(const Program& program) override { return inner_.first_choice(program); }
  void performed(const Program& program, const Event& event) override { inner_.performed(program, event); }
  void ended(const Program& program, bool cut) override {
    const auto& toy = static_cast<const ToyProgram&>(program);
    bool waits = false;
    for (std::uint16_t t = 0; t < toy.thread_count(); ++t) waits = waits || toy.waits(ThreadId{t});
    if (toy.enabled().empty() && !toy.abandoned() && !waits) states_.insert(state_of(toy));
    inner_.ended(program, cut);
  }
  std::optional<Branch> backtrack(Prober& prober) override { return inner_.backtrack(prober); }

 private:
  Reduction& inner_;
  std::set<State>& states_;
};

}  // namespace

std::optional<Ends> explored_ends(const ToyCode& code, const ReductionChoice& choice) {
  Ends ends;
  ToyProgram program(code);
  const std::unique_ptr<ToyReduction> made = reduction_for(code, {}, choice);
  EndCollector collector(*made->reduction, ends.states);
  Collected collected;
  ExploreOptions options;
  options.keep_going = true;
  // Every interleaving of a program may be many more than there are with a reduction.
  options.budget.max_executions = choice.kind == ReductionKind::None ? 3'000'000 : 100'000;
  if (Engine(program, collector, collected, options).explore().ended != Ended::Complete) return std::nullopt;
  for (const Finding& finding : collected.findings) ends.findings.insert(finding.kind);
  return ends;
}

std::optional<Ends> walk(const ToyCode& code) { return Walk().run(ToyProgram(code, {.awaits = false})); }

std::optional<std::string> await_complaint(const Ends& walked, const ToyCode& code, const ReductionChoice& choice) {
  const auto explored = explored_ends(code, choice);
  if (!explored) return "the search did not come to its end";
  if (explored->states != walked.states) {
    return fmt::format("{} ends instead of {}", explored->states.size(), walked.states.size());
  }
  if (explored->findings != walked.findings) {
    return fmt::format("{} kinds of findings instead of {}", explored->findings.size(), walked.findings.size());
  }
  return std::nullopt;
}

}  // namespace heddle::differential
