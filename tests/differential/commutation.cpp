#include "differential/commutation.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "model/dependency.hpp"

namespace heddle::differential {
namespace {

// A step that is possible somewhere, with what it leads to.
struct Step {
  Choice choice;
  Event event;
  toy::ToyProgram after;
};

std::vector<Step> steps(const toy::ToyProgram& program) {
  std::vector<Step> all;
  for (auto t = program.enabled().first(); t; t = program.enabled().after(*t)) {
    const Outcomes outcomes = program.thread(*t).outcomes;
    for (Outcome outcome = outcomes.first; outcome < outcomes.end(); ++outcome) {
      const Choice choice{*t, outcome};
      Step& step = all.emplace_back(Step{choice, {}, program});
      step.event = step.after.step(choice);
    }
  }
  return all;
}

const Step* find(const std::vector<Step>& all, Choice choice) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Step& step) { return step.choice == choice; });
  return found == all.end() ? nullptr : &*found;
}

std::string letter(const Event& event) { return trace_name({&event, 1}); }

bool possible_as(const std::vector<Step>& all, const Step& step) {
  const Step* const found = find(all, step.choice);
  return found != nullptr && letter(found->event) == letter(step.event);
}

// Where the seam shows no difference between two states.
bool same_state(const toy::ToyProgram& a, const toy::ToyProgram& b) {
  if (a.abandoned() != b.abandoned() || a.enabled() != b.enabled()) return false;
  for (std::uint16_t t = 0; t < a.thread_count(); ++t) {
    const ThreadState& in_a = a.thread(ThreadId{t});
    const ThreadState& in_b = b.thread(ThreadId{t});
    if (in_a.phase != in_b.phase || in_a.outcomes != in_b.outcomes) return false;
    if (in_a.pending.kind != in_b.pending.kind || in_a.pending.site != in_b.pending.site) return false;
  }
  return true;
}

class Check {
 public:
  explicit Check(OracleLimits limits) : limits_(limits) {}

  std::optional<std::string> run(const toy::ToyProgram& program) {
    visit(program);
    return error_;
  }

 private:
  void visit(const toy::ToyProgram& program) {
    if (error_ || events_.size() > limits_.events || seen_.size() >= limits_.prefixes) return;
    if (!seen_.insert(trace_name(events_)).second) return;
    const std::vector<Step> here = steps(program);
    for (const Step& p : here) check(here, p);
    for (const Step& p : here) {
      events_.push_back(p.event);
      visit(p.after);
      events_.pop_back();
    }
  }

  void check(const std::vector<Step>& here, const Step& p) {
    const std::vector<Step> after_p = steps(p.after);
    for (const Step& q : here) {
      if (dependent(p.event, q.event)) continue;
      if (!possible_as(after_p, q)) complain("1: q is not the same after p, or not possible", {p, q});
    }
    for (const Step& q : after_p) {
      if (dependent(p.event, q.event)) continue;
      if (!possible_as(here, q)) {
        complain("2: q is not the same without p, or not possible", {p, q});
        continue;
      }
      const std::vector<Step> after_q = steps(find(here, q.choice)->after);
      const Step* const p_after_q = find(after_q, p.choice);
      if (p_after_q == nullptr || !same_state(p_after_q->after, q.after)) {
        complain("2: p.q and q.p lead to different states", {p, q});
      }
      check_third(p, q, after_p);
    }
  }

  void check_third(const Step& p, const Step& q, const std::vector<Step>& after_p) {
    const std::vector<Step> after_both = steps(q.after);
    for (const Step& r : after_p) {
      if (r.choice.thread == q.choice.thread || !dependent(p.event, r.event)) continue;
      const Step* const later = find(after_both, r.choice);
      if (later != nullptr && !dependent(p.event, later->event)) complain("3: q makes r independent of p", {p, q, r});
    }
  }

  void complain(const char* what, std::initializer_list<Step> steps) {
    if (error_) return;
    error_ = std::string(what) + ", after\n ";
    for (const Event& event : events_) *error_ += " " + letter(event);
    char name = 'p';
    for (const Step& step : steps) {
      *error_ += "\n  ";
      *error_ += name++;
      *error_ += ": " + letter(step.event);
    }
  }

  OracleLimits limits_;
  std::optional<std::string> error_;
  std::vector<Event> events_;
  std::unordered_set<TraceName> seen_;
};

}  // namespace

std::optional<std::string> commutation_error(const toy::ToyCode& code, toy::ToyOptions options, OracleLimits limits) {
  return Check(limits).run(toy::ToyProgram(code, options));
}

}  // namespace heddle::differential
