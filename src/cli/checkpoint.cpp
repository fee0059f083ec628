#include "cli/checkpoint.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>

#include "cli/checkpoint_file.hpp"
#include "cli/installation.hpp"
#include "cli/result_file.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What a search is continued with may differ from what it was begun with in these.
constexpr std::array kMayDiffer{"channel",    "board",    "resume",    "checkpoints", "max_executions", "max_time",
                                "max_memory", "minimise", "backtrack", "show_output", "static_table"};

json describe(const SearchIdentity& identity) {
  json options = json::parse(to_json(identity.configuration));
  for (const char* name : kMayDiffer) options.erase(name);
  return {{"heddle", fingerprint_of_file(installation().runtime)},
          {"program", fs::absolute(identity.program).string()},
          {"symbolic", false},
          {"executable", fingerprint_of_file(identity.executable)},
          {"arguments", identity.arguments},
          {"options", options}};
}

json to_json(const Exploration::Sample& sample) { return {sample.seconds, sample.executions, sample.events}; }

}  // namespace

void add_checkpoint_options(CLI::App& app, CheckpointOptions& options) {
  app.add_option("--checkpoint", options.file, "write where the search stands to this file, so that it can be resumed");
  app.add_option("--checkpoint-every", options.every, "with --checkpoint or --resume: seconds between checkpoints")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 8'640'000.0));
  app.add_option("--resume", options.resume,
                 "go on from this checkpoint, with the same program and the same options, and keep it up to date");
}

Checkpoints::Checkpoints(const CheckpointOptions& options, const SearchIdentity& identity) {
  asked_for_ = !options.file.empty() || !options.resume.empty();
  identity_ = describe(identity);
  every_ = std::chrono::milliseconds(static_cast<long>(options.every * 1000));
  if (!options.resume.empty()) read(options.resume);
  if (!asked_for_) {
    file_ = place_for_interrupted(identity_);
    return;
  }
  file_ = options.file.empty() ? options.resume : options.file;
  check_output_file(options.file.empty() ? "--resume" : "--checkpoint", file_);
}

void Checkpoints::read(const std::string& path) {
  CheckpointContents contents = read_checkpoint(path, identity_);
  const json& described = contents.described;
  effective_ = described.at("effective");
  point_ = SearchPoint{.messages = described.at("messages").get<std::vector<json>>(),
                       .samples = {},
                       .seconds = described.at("seconds"),
                       .statistics = described.at("statistics"),
                       .state = std::move(contents.state)};
  for (const json& sample : described.at("samples")) {
    point_->samples.push_back({sample.at(0), sample.at(1), sample.at(2)});
  }
}

void Checkpoints::prepare(WorkerRun& run) const {
  run.configuration.checkpoints = asked_for_;
  if (asked_for_) run.checkpoint_every = every_;
  run.keep = [this](const WorkerConfiguration& effective, const SearchPoint& point) { return write(effective, point); };
  if (!point_) return;
  run.resume = point_;
  run.configuration.fork = effective_.at("fork");
  run.configuration.search.reduction.kind = effective_.at("reduction");
}

bool Checkpoints::write(const WorkerConfiguration& effective, const SearchPoint& point) const {
  json samples = json::array();
  for (const Exploration::Sample& sample : point.samples) samples.push_back(to_json(sample));
  const json described{{"effective", {{"fork", effective.fork}, {"reduction", effective.search.reduction.kind}}},
                       {"seconds", point.seconds},
                       {"statistics", point.statistics},
                       {"samples", samples},
                       {"messages", point.messages}};
  return write_checkpoint(file_, identity_, described, point.state);
}

}  // namespace heddle
