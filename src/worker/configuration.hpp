// What the supervisor asks of the worker: passed as one JSON object in the environment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "explore/search_run.hpp"

namespace heddle {

struct WorkerConfiguration {
  int channel = -1;     // descriptor for messages to the supervisor
  int board = -1;       // descriptor of the shared memory
  bool replay = false;  // replay `schedule` instead of searching
  std::string schedule;
  std::uint64_t loop = 0;    // steps at its end that repeat for ever: a livelock
  bool debug = false;        // a replay that a debugger watches
  bool stop_on_way = false;  // a replay of the beginning only: say where everybody is
  // One function inside the program to explore instead of main, named as in worker/unit_check.hpp; empty: main. What
  // came of those before it, for the program to go by on its way there.
  std::string at;
  std::string results_before;
  SearchRequest search;
  bool minimise = true;            // findings, before they are reported
  std::string backtrack = "auto";  // or restore, replay
  bool checkpoints = false;        // also if a budget ends the search
  int resume = -1;                 // descriptor of a file with the state to go on from
  int static_table = -1;           // descriptor of a file with what a static analysis has found out
  bool fork = false;               // a fresh process for each execution
  // The program's world.
  bool visible_all = false;
  std::optional<bool> races;  // default: unless all accesses are visible
  bool reuse_heap = false;
  bool show_output = false;
  std::uint32_t timeouts = 2;
  std::uint32_t spurious_wakeups = 0;
  std::uint32_t weak_cas_failures = 0;
  std::uint32_t allocation_failures = 0;
  std::uint64_t heap_limit = std::uint64_t{1} << 30U;
  std::uint64_t seed = 1;
};

[[nodiscard]] std::string to_json(const WorkerConfiguration& configuration);
[[nodiscard]] WorkerConfiguration configuration_from_json(const std::string& text);

}  // namespace heddle
