// Options of `heddle check` that choose another search than that of all schedules.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "explore/search_run.hpp"

namespace heddle {

// Whole numbers in a range, for options; what the option parser itself would let wrap around is refused.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least, std::uint64_t most = 1'000'000'000'000'000);

// A number with a unit of time: "60s", "500ms", "5m", "1h"; plain numbers are seconds. Throws UserError.
[[nodiscard]] std::chrono::nanoseconds parse_duration(const std::string& option, const std::string& text);

class SearchOptions {
 public:
  void add_to(CLI::App& app);
  // Puts what was asked for into the request. Throws UserError if the options contradict each other.
  void resolve(SearchRequest& request, std::uint64_t seed) const;

 private:
  void resolve_estimate(SearchRequest& request) const;
  void resolve_budget(SearchRequest& request, std::uint64_t seed) const;

  const CLI::App* app_ = nullptr;
  std::string preemptions_;
  std::string algorithm_ = "2";
  std::uint64_t max_states_ = kMostHbStates;
  std::string sample_;
  std::uint64_t runs_ = SampleChoice{}.runs;
  std::uint32_t depth_ = SampleChoice{}.depth;
  std::string budget_;
  std::string estimate_ = "auto";
};

// How the search was chosen, as it stands in results.
void describe_search(const SearchRequest& request, nlohmann::json& search);

}  // namespace heddle
