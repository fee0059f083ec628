// Options of `heddle check`: from the command line and from HEDDLE_OPTIONS.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/checkpoint.hpp"
#include "cli/report_files.hpp"
#include "cli/supervisor.hpp"
#include "symbolic/independence.hpp"
#include "worker/configuration.hpp"

namespace heddle {

// Of --symbolic.
struct SymbolicOptions {
  bool wanted = false;
  std::size_t steps = 100;
  symbolic::Peephole peephole = symbolic::Peephole::Full;
  std::string smt_file;
  std::string independence_file;
};

struct CheckOptions {
  WorkerConfiguration configuration;
  SymbolicOptions symbolic;
  std::string isolate = "auto";
  ReportFiles files;
  CheckpointOptions checkpoint;
  std::string suppressions_file;
  std::string cflags;
  double step_timeout = 10;
  ProgressStyle progress = ProgressStyle::None;
  std::vector<std::string> positional;  // the program or sources, then the program's arguments
};

// Parses, or prints help and returns nothing. Throws UserError.
[[nodiscard]] std::optional<CheckOptions> parse_check_options(const std::vector<std::string>& arguments);

// The options in force, as they stand in results and as `heddle replay` needs them.
[[nodiscard]] nlohmann::json search_options(const CheckOptions& options);

}  // namespace heddle
