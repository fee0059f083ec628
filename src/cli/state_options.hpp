// Options of `heddle check` for searches over states.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "worker/configuration.hpp"

namespace heddle {

inline constexpr const char* kCartesian = "cartesian";

class StateOptions {
 public:
  void add_to(CLI::App& app);
  // Puts what was asked for into the configuration, if a search over states was. Throws UserError if the options
  // contradict each other.
  void resolve(const std::string& reduction, WorkerConfiguration& configuration) const;

 private:
  [[nodiscard]] bool given(const char* option) const;
  void refuse_others() const;
  [[nodiscard]] StateReduction reduction_of(const std::string& text, bool sleep_sets) const;

  const CLI::App* app_ = nullptr;
  bool stateful_ = false;
  std::string max_memory_;
  bool hash_only_ = false;
  unsigned jobs_ = 1;
};

// How states are searched, as it stands in results.
void describe_states(const StatesChoice& choice, nlohmann::json& search);

}  // namespace heddle
