// The supervisor: starts the program under test as a child, collects what it reports, and survives whatever it does.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "model/listener.hpp"
#include "report/result.hpp"
#include "worker/configuration.hpp"

namespace heddle {

struct WorkerRun {
  std::string program;
  std::vector<std::string> arguments;
  WorkerConfiguration configuration;
  std::chrono::milliseconds step_timeout{10'000};  // without a visible operation
  ProgressStyle progress = ProgressStyle::None;    // on standard error
};

// How a worker ended, besides what it said.
enum class WorkerEnd { Exited, Died, Killed, NotStarted };

struct WorkerOutcome {
  std::vector<nlohmann::json> messages;
  WorkerEnd end = WorkerEnd::Exited;
  int status = 0;  // exit status, or the signal it died of
  bool interrupted = false;
  bool ready = false;                        // it got as far as exploring
  Statistics statistics;                     // as they stood on the board
  std::string schedule;                      // being executed when it ended
  std::vector<Exploration::Sample> samples;  // of the statistics, over time
  double seconds = 0;
  long peak_rss_kib = 0;
};

[[nodiscard]] WorkerOutcome run_worker(const WorkerRun& run);

}  // namespace heddle
