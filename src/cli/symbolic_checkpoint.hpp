// Checkpoints of a symbolic search: which depths have been found to be without failure. What the solver has learnt is
// not part of them; a search that goes on builds the formulas anew, and asks about the depths that are left.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/check_options.hpp"
#include "symbolic/bounded_check.hpp"

namespace heddle {

[[nodiscard]] nlohmann::json to_json(const symbolic::DepthFigures& figures);

class SymbolicCheckpoints {
 public:
  // `code`: fingerprint of what the solver sees. Throws UserError if the file cannot be written or read, or is another
  // search's.
  SymbolicCheckpoints(const CheckOptions& options, const std::string& program,
                      const std::vector<std::string>& arguments, const std::string& code);

  // Of the search that is resumed; none if none is.
  [[nodiscard]] const std::vector<symbolic::DepthFigures>& covered() const noexcept { return covered_; }
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

  // Another depth has been covered: writes a checkpoint if it is time for one.
  void covered_one_more(const std::vector<symbolic::DepthFigures>& depths);
  // The search has been cut short. What to say about going on; empty if there is no checkpoint.
  [[nodiscard]] std::string cut_short(bool interrupted);

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool write();

  nlohmann::json search_;
  std::string file_;
  bool asked_for_;
  std::chrono::duration<double> every_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point written_ = began_;
  double seconds_ = 0;  // before it was resumed
  std::vector<symbolic::DepthFigures> covered_;
};

}  // namespace heddle
