// Helpers of the tests: explore a toy program completely and remember what was found.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "explore/engine.hpp"
#include "explore/reductions.hpp"
#include "program/toy/toy_program.hpp"

namespace heddle {

class Collected : public Listener {
 public:
  void found(const Finding& finding, std::span<const PlannedChoice> schedule) override {
    findings.push_back(finding);
    schedules.emplace_back(schedule.begin(), schedule.end());
  }
  std::vector<Finding> findings;
  std::vector<std::vector<PlannedChoice>> schedules;
};

struct Explored {
  ExploreResult result;
  std::vector<Finding> findings;
  std::vector<std::vector<PlannedChoice>> schedules;
};

inline Explored explore_all(const toy::ToyCode& code, toy::ToyOptions options = {}, ExploreOptions explore = {},
                            ThreadOrder order = ThreadOrder::Lowest, ReductionKind kind = ReductionKind::None) {
  explore.keep_going = true;
  toy::ToyProgram program(code, options);
  const std::unique_ptr<Reduction> reduction = make_reduction({kind, order, {}});
  Collected collected;
  Engine engine(program, *reduction, collected, explore);
  ExploreResult result = engine.explore();
  return {result, collected.findings, collected.schedules};
}

}  // namespace heddle
