// The supervisor: starts the program under test as a child, collects what it reports, and survives whatever it does.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "model/listener.hpp"
#include "report/result.hpp"
#include "worker/configuration.hpp"

namespace heddle {

// Where a search stood, for another worker to go on from.
struct SearchPoint {
  std::vector<nlohmann::json> messages;      // findings and warnings so far, as the worker described them
  std::vector<Exploration::Sample> samples;  // over the time so far
  double seconds = 0;
  nlohmann::json statistics;
  std::string state;  // as the worker wrote it
};

struct WorkerRun {
  std::string program;
  std::vector<std::string> arguments;
  WorkerConfiguration configuration;
  std::chrono::milliseconds step_timeout{10'000};  // without a visible operation
  ProgressStyle progress = ProgressStyle::None;    // on standard error
  std::optional<SearchPoint> resume = {};          // go on from there
  std::string static_table = {};                   // what a static analysis has found out; empty: there was none
  // Checkpoints: what is done with each (nothing: there are none), and how often one is asked for besides the last.
  std::function<bool(const WorkerConfiguration&, const SearchPoint&)> keep = {};  // whether it was
  std::optional<std::chrono::milliseconds> checkpoint_every = {};
};

// How a worker ended, besides what it said.
enum class WorkerEnd { Exited, Died, Killed, NotStarted };

struct WorkerOutcome {
  std::vector<nlohmann::json> messages;
  WorkerEnd end = WorkerEnd::Exited;
  int status = 0;  // exit status, or the signal it died of
  bool interrupted = false;
  bool kept = false;                         // a checkpoint
  bool ready = false;                        // it got as far as exploring
  Statistics statistics;                     // as they stood on the board
  std::string schedule;                      // being executed when it ended
  std::vector<Exploration::Sample> samples;  // of the statistics, over time
  double seconds = 0;
  long peak_rss_kib = 0;
};

[[nodiscard]] WorkerOutcome run_worker(const WorkerRun& run);

}  // namespace heddle
