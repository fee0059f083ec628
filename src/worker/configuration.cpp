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
  visit("loop", c.loop);
  visit("at", c.at);
  visit("results_before", c.results_before);
  visit("debug", c.debug);
  visit("stop_on_way", c.stop_on_way);
  visit("max_executions", c.search.explore.budget.max_executions);
  visit("max_steps", c.search.explore.budget.max_steps);
  visit("keep_going", c.search.explore.keep_going);
  visit("fork", c.fork);
  visit("visible_all", c.visible_all);
  visit("reuse_heap", c.reuse_heap);
  visit("show_output", c.show_output);
  visit("timeouts", c.timeouts);
  visit("spurious_wakeups", c.spurious_wakeups);
  visit("weak_cas_failures", c.weak_cas_failures);
  visit("allocation_failures", c.allocation_failures);
  visit("heap_limit", c.heap_limit);
  visit("seed", c.seed);
  visit("reduction", c.search.reduction.kind);
  visit("order", c.search.reduction.order);
  visit("persistent_variant", c.search.reduction.persistent.variant);
  visit("sleep_sets", c.search.reduction.persistent.sleep_sets);
  visit("dynamic", c.search.reduction.dynamic);
  visit("mode", c.search.mode);
  visit("bound_kind", c.search.bound.kind);
  visit("first_bound", c.search.bound.bounds.first);
  visit("last_bound", c.search.bound.bounds.last);
  visit("max_states", c.search.bound.most_states);
  visit("sample", c.search.sample.kind);
  visit("runs", c.search.sample.runs);
  visit("sample_seed", c.search.sample.seed);
  visit("depth", c.search.sample.depth);
  visit("state_reduction", c.search.states.reduction);
  visit("state_hash_only", c.search.states.store.hash_only);
  visit("max_memory", c.search.states.store.max_memory);
  visit("jobs", c.search.states.jobs);
  visit("estimate_at_once", c.search.estimate.at_once);
  visit("estimate_share", c.search.estimate.share);
  visit("estimate_at_most", c.search.estimate.at_most);
  visit("self_check", c.search.self_check);
  visit("backtrack", c.backtrack);
  visit("minimise", c.minimise);
  visit("checkpoints", c.checkpoints);
  visit("resume", c.resume);
  visit("static_table", c.static_table);
}

}  // namespace

std::string to_json(const WorkerConfiguration& configuration) {
  WorkerConfiguration copy = configuration;
  nlohmann::json json;
  settings(copy, [&](const char* name, auto& value) { json[name] = value; });
  if (copy.races) json["races"] = *copy.races;
  if (copy.search.explore.budget.max_time) json["max_time"] = copy.search.explore.budget.max_time->count();
  return json.dump();
}

WorkerConfiguration configuration_from_json(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  WorkerConfiguration configuration;
  settings(configuration, [&](const char* name, auto& value) { json.at(name).get_to(value); });
  if (json.contains("races")) configuration.races = json["races"].get<bool>();
  if (json.contains("max_time")) {
    configuration.search.explore.budget.max_time = std::chrono::nanoseconds(json["max_time"].get<std::int64_t>());
  }
  return configuration;
}

}  // namespace heddle
