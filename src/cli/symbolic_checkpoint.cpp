#include "cli/symbolic_checkpoint.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/checkpoint_file.hpp"
#include "cli/result_file.hpp"

namespace heddle {
namespace {

using nlohmann::json;
using symbolic::DepthFigures;

DepthFigures depth_from(const json& figures) {
  return {.depth = figures.at("depth"),
          .seconds = figures.at("seconds"),
          .terms = figures.at("terms"),
          .statistics = {.conflicts = figures.at("conflicts"),
                         .decisions = figures.at("decisions"),
                         .propagations = figures.at("propagations")}};
}

}  // namespace

json to_json(const DepthFigures& figures) {
  return {{"depth", figures.depth},
          {"seconds", figures.seconds},
          {"terms", figures.terms},
          {"conflicts", figures.statistics.conflicts},
          {"decisions", figures.statistics.decisions},
          {"propagations", figures.statistics.propagations}};
}

SymbolicCheckpoints::SymbolicCheckpoints(const CheckOptions& options, const std::string& program,
                                         const std::vector<std::string>& arguments, const std::string& code)
    : asked_for_(!options.checkpoint.file.empty() || !options.checkpoint.resume.empty()),
      every_(options.checkpoint.every) {
  json asked = search_options(options);
  asked.erase("steps");  // how far to go may differ
  search_ = {{"heddle", fingerprint_of_file("/proc/self/exe")},
             {"program", std::filesystem::absolute(program).string()},
             {"symbolic", true},
             {"executable", code},
             {"arguments", arguments},
             {"options", asked}};
  const std::string& resume = options.checkpoint.resume;
  if (!resume.empty()) {
    const CheckpointContents contents = read_checkpoint(resume, search_);
    seconds_ = contents.described.at("seconds");
    for (const json& figures : contents.described.at("depths")) covered_.push_back(depth_from(figures));
  }
  if (!asked_for_) {
    file_ = place_for_interrupted(search_);
    return;
  }
  file_ = options.checkpoint.file.empty() ? resume : options.checkpoint.file;
  check_output_file(options.checkpoint.file.empty() ? "--resume" : "--checkpoint", file_);
}

bool SymbolicCheckpoints::write() {
  json depths = json::array();
  for (const DepthFigures& figures : covered_) depths.push_back(to_json(figures));
  const double seconds = seconds_ + std::chrono::duration<double>(Clock::now() - began_).count();
  written_ = Clock::now();
  return write_checkpoint(file_, search_, {{"seconds", seconds}, {"depths", depths}}, "");
}

void SymbolicCheckpoints::covered_one_more(const std::vector<DepthFigures>& depths) {
  covered_ = depths;
  if (asked_for_ && Clock::now() - written_ >= every_) (void)write();
}

std::string SymbolicCheckpoints::cut_short(bool interrupted) {
  if (!asked_for_ && !interrupted) return "";
  return write() ? fmt::format("; --resume={} goes on from there", file_) : "";
}

}  // namespace heddle
