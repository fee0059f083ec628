// Checkpoints of a search: files from which it can go on after an interrupt, a crash or a kill.
//
// The search's state names operations by their addresses, so the program, the options and Heddle itself have to be the
// same where it goes on. What it may run out of (time, executions) may differ.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/supervisor.hpp"

namespace CLI {
class App;
}

namespace heddle {

struct CheckpointOptions {
  std::string file;    // where to; empty: only if the search is interrupted, to a place in the cache
  std::string resume;  // where from
  double every = 60;   // seconds
};

void add_checkpoint_options(CLI::App& app, CheckpointOptions& options);

// What has to be the same where a search goes on.
struct SearchIdentity {
  std::string program;  // as it was given
  std::string executable;
  std::vector<std::string> arguments;
  WorkerConfiguration configuration;  // as it was asked for
};

class Checkpoints {
 public:
  // Throws UserError if this search cannot be resumed, or the file cannot be written or read, or is another search's.
  Checkpoints(const CheckpointOptions& options, const SearchIdentity& identity);

  // Sets up a run: to write checkpoints, and to go on from the one asked for, the way that one was run.
  void prepare(WorkerRun& run) const;
  // From where the search can be resumed after a checkpoint was written.
  [[nodiscard]] const std::string& file() const noexcept { return file_; }

 private:
  void read(const std::string& path);
  // False, and said, if that was not possible.
  [[nodiscard]] bool write(const WorkerConfiguration& effective, const SearchPoint& point) const;

  nlohmann::json identity_;
  std::string file_;
  bool asked_for_ = false;
  std::chrono::milliseconds every_{};
  nlohmann::json effective_;  // of the checkpoint to go on from
  std::optional<SearchPoint> point_;
};

}  // namespace heddle
