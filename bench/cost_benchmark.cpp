// What exploring costs: each benchmark is one `heddle check` of a small program, timed by the search's own clock, so
// that starting processes and compiling are left out.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

struct Measured {
  double seconds = 0;
  double executions = 0;
  double events = 0;  // performed and replayed
};

Measured check(const std::string& program, const std::string& arguments, const std::string& options) {
  const std::string result_file = "/tmp/heddle-bench-" + std::to_string(::getpid()) + ".json";
  const std::string command = std::string(HEDDLE_COMMAND) + " check --json=" + result_file + " " + options + " " +
                              HEDDLE_BENCH_PROGRAMS + "/" + program + " -- " + arguments + " >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream file(result_file);
  const nlohmann::json result = nlohmann::json::parse(file, nullptr, false);
  ::unlink(result_file.c_str());
  if (status < 0 || result.is_discarded() || !result["findings"].empty()) return {};
  const auto& s = result["statistics"];
  return {s["seconds"], s["executions"], s["events"].get<double>() + s["replayed"].get<double>()};
}

void report(benchmark::State& state, const std::string& program, const std::string& arguments,
            const std::string& options, const char* unit) {
  double executions = 0;
  double events = 0;
  double seconds = 0;
  for (auto _ : state) {
    const Measured measured = check(program, arguments, options);
    if (measured.executions == 0) {
      state.SkipWithError("heddle check failed");
      return;
    }
    state.SetIterationTime(measured.seconds);
    executions += measured.executions;
    events += measured.events;
    seconds += measured.seconds;
  }
  if (std::string(unit) == "executions") {
    state.counters["executions_per_second"] = executions / seconds;
    state.counters["events_per_execution"] = events / executions;
  } else if (std::string(unit) == "events") {
    state.counters["ns_per_event"] = seconds * 1e9 / events;
  } else {
    state.counters["us_per_restart"] = seconds * 1e6 / executions;
  }
}

void add(const char* name, const std::string& program, const std::string& arguments, const std::string& options,
         const char* unit) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { report(state, program, arguments, options, unit); })
      ->UseManualTime()
      ->Iterations(1)
      ->Repetitions(5)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  // Compiled into the cache before anything is timed.
  for (const char* program : {"atomics.cpp", "mutex.cpp", "straight.c", "pingpong.c", "empty.c"}) {
    check(program, "1 1", "--max-executions=1");
  }
  add("visible operation, no switch, searched", "straight.c", "fresh 5000", "", "events");
  add("visible operation, no switch, replayed", "straight.c", "replayed 5000", "", "events");
  add("visible operation with switch, searched", "pingpong.c", "2000", "--max-executions=100", "events");
  add("restart", "empty.c", "", "", "restart");
  add("2 threads x 5 atomics", "atomics.cpp", "2 5 250", "", "executions");
  add("4 threads x 10 atomics", "atomics.cpp", "4 10", "--max-executions=400000", "executions");
  add("3 threads x 20 mutex-protected increments", "mutex.cpp", "3 20", "--max-executions=400000", "executions");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
