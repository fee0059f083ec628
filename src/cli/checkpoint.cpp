#include "cli/checkpoint.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/installation.hpp"
#include "cli/result_file.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kFormat = "heddle checkpoint";
constexpr int kVersion = 1;
// What a search is continued with may differ from what it was begun with in these.
constexpr std::array kMayDiffer{"channel",  "board",    "resume",    "checkpoints", "max_executions",
                                "max_time", "minimise", "backtrack", "show_output"};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw cannot("read", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string fingerprint(const std::string& bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

json describe(const SearchIdentity& identity) {
  json options = json::parse(to_json(identity.configuration));
  for (const char* name : kMayDiffer) options.erase(name);
  return {{"runtime", fingerprint(contents(installation().runtime))},
          {"program", fs::absolute(identity.program).string()},
          {"executable", fingerprint(contents(identity.executable))},
          {"arguments", identity.arguments},
          {"options", options}};
}

std::string differing(const json& there, const json& here) {
  for (const auto& [name, value] : here.items()) {
    if (!there.contains(name) || there[name] != value) return name;
  }
  return "others";
}

// Why a search cannot go on from there; empty if it can.
std::string mismatch(const json& there, const json& here) {
  if (there.at("runtime") != here["runtime"]) return "was written by another version of Heddle";
  if (there.at("program") != here["program"]) {
    return fmt::format("is a checkpoint of another program, {}", there["program"].get<std::string>());
  }
  if (there.at("executable") != here["executable"]) return "was written before the program was changed";
  if (there.at("arguments") != here["arguments"]) return "is of a search with other arguments for the program";
  if (there.at("options") != here["options"]) {
    return fmt::format("is of a search with other options ({})", differing(there["options"], here["options"]));
  }
  return "";
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
  if (!can_be_resumed(identity.configuration.search)) {
    if (!asked_for_) return;
    throw UserError(
        "--checkpoint and --resume do not work with this kind of search yet: they do with --reduction, --sample, and "
        "--preemptions with --reduction=none");
  }
  identity_ = describe(identity);
  every_ = std::chrono::milliseconds(static_cast<long>(options.every * 1000));
  if (!options.resume.empty()) read(options.resume);
  if (!asked_for_) {
    file_ = cache_directory() / "interrupted" / (fingerprint(identity_.dump()) + ".checkpoint");
    return;
  }
  file_ = options.file.empty() ? options.resume : options.file;
  check_output_file(options.file.empty() ? "--resume" : "--checkpoint", file_);
}

void Checkpoints::read(const std::string& path) {
  if (fs::is_directory(path)) throw UserError(path + " is a folder, not a checkpoint");
  const json file = json::parse(contents(path), nullptr, false);
  if (!file.is_object() || file.value("format", "") != kFormat) {
    throw UserError(path + " is not a checkpoint of heddle check");
  }
  if (file.value("version", 0) != kVersion) throw UserError(path + " was written by another version of Heddle");
  try {
    if (const std::string why = mismatch(file.at("search"), identity_); !why.empty()) {
      throw UserError(fmt::format("{} {}: it cannot be resumed here", path, why));
    }
    effective_ = file.at("effective");
    point_ = SearchPoint{.messages = file.at("messages").get<std::vector<json>>(),
                         .samples = {},
                         .seconds = file.at("seconds"),
                         .statistics = file.at("statistics"),
                         .state = file.at("state")};
    for (const json& sample : file.at("samples")) {
      point_->samples.push_back({sample.at(0), sample.at(1), sample.at(2)});
    }
  } catch (const json::exception&) {
    throw UserError(path + " is damaged: it cannot be resumed");
  }
}

void Checkpoints::prepare(WorkerRun& run) const {
  if (identity_.is_null()) return;
  run.configuration.checkpoints = asked_for_;
  if (asked_for_) run.checkpoint_every = every_;
  run.keep = [this](const WorkerConfiguration& effective, const SearchPoint& point) { write(effective, point); };
  if (!point_) return;
  run.resume = point_;
  run.configuration.fork = effective_.at("fork");
  run.configuration.search.reduction.kind = effective_.at("reduction");
}

void Checkpoints::write(const WorkerConfiguration& effective, const SearchPoint& point) const {
  json samples = json::array();
  for (const Exploration::Sample& sample : point.samples) samples.push_back(to_json(sample));
  const json file{{"format", kFormat},
                  {"version", kVersion},
                  {"search", identity_},
                  {"effective", {{"fork", effective.fork}, {"reduction", effective.search.reduction.kind}}},
                  {"seconds", point.seconds},
                  {"statistics", point.statistics},
                  {"samples", samples},
                  {"messages", point.messages},
                  {"state", point.state}};
  try {
    if (!asked_for_) fs::create_directories(fs::path(file_).parent_path());
    write_durably(file_, file.dump() + "\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle: no checkpoint was written: {}\n", error.what());
  }
}

}  // namespace heddle
