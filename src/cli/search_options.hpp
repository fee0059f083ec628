// Options of `heddle check` that choose another search than that of all schedules.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "explore/search_run.hpp"

namespace heddle {

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
