#include "worker/configuration.hpp"

#include <nlohmann/json.hpp>

namespace heddle {
namespace {

// One table for both directions: each setting is named once.
template <typename Visit>
void settings(WorkerConfiguration& c, Visit visit) {
  visit("channel", c.channel);
  visit("board", c.board);
  visit("replay", c.replay);
  visit("schedule", c.schedule);
  visit("at", c.at);
  visit("results_before", c.results_before);
  visit("max_executions", c.explore.budget.max_executions);
  visit("max_steps", c.explore.budget.max_steps);
  visit("keep_going", c.explore.keep_going);
  visit("fork", c.fork);
  visit("visible_all", c.visible_all);
  visit("reuse_heap", c.reuse_heap);
  visit("show_output", c.show_output);
  visit("timeouts", c.timeouts);
  visit("spurious_wakeups", c.spurious_wakeups);
  visit("heap_limit", c.heap_limit);
  visit("seed", c.seed);
  visit("reduction", c.reduction.kind);
  visit("order", c.reduction.order);
  visit("persistent_variant", c.reduction.persistent.variant);
  visit("sleep_sets", c.reduction.persistent.sleep_sets);
  visit("self_check", c.self_check);
  visit("backtrack", c.backtrack);
}

}  // namespace

std::string to_json(const WorkerConfiguration& configuration) {
  WorkerConfiguration copy = configuration;
  nlohmann::json json;
  settings(copy, [&](const char* name, auto& value) { json[name] = value; });
  if (copy.races) json["races"] = *copy.races;
  if (copy.explore.budget.max_time) json["max_time"] = copy.explore.budget.max_time->count();
  return json.dump();
}

WorkerConfiguration configuration_from_json(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  WorkerConfiguration configuration;
  settings(configuration, [&](const char* name, auto& value) { json.at(name).get_to(value); });
  if (json.contains("races")) configuration.races = json["races"].get<bool>();
  if (json.contains("max_time")) {
    configuration.explore.budget.max_time = std::chrono::nanoseconds(json["max_time"].get<std::int64_t>());
  }
  return configuration;
}

}  // namespace heddle
