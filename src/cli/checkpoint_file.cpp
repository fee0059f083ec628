#include "cli/checkpoint_file.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "cli/installation.hpp"
#include "cli/result_file.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kFormat = "heddle checkpoint ";
constexpr std::string_view kVersion = "2";

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw cannot("read", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Options by the names that settings have, where those are others.
const std::map<std::string_view, std::string_view> kOptions{
    {"allocation_failures", "alloc_failures"},
    {"bound_kind", "bound_algorithm"},
    {"estimate_at_most", "estimate"},
    {"estimate_at_once", "estimate"},
    {"estimate_share", "estimate"},
    {"first_bound", "preemptions"},
    {"fork", "isolate"},
    {"heap_limit_mib", "heap_limit"},
    {"last_bound", "preemptions"},
    {"reuse_heap", "heap"},
    {"sample_seed", "seed"},
    {"sleep_sets", "no_sleep_sets"},
    {"state_reduction", "reduction"},
    {"visible_all", "visible"},
};

// An option that is not the same.
std::string differing(const json& there, const json& here) {
  std::string option;
  for (const json& all : {here, there}) {
    for (const auto& [name, value] : all.items()) {
      if (option.empty() && there.value(name, json()) != here.value(name, json())) option = name;
    }
  }
  if (const auto shown = kOptions.find(option); shown != kOptions.end()) option = shown->second;
  std::replace(option.begin(), option.end(), '_', '-');
  return "--" + option;
}

// Why a search cannot go on from there; empty if it can.
std::string mismatch(const json& there, const json& here) {
  if (there.at("symbolic") != here["symbolic"]) {
    return here["symbolic"] ? "is of a search without --symbolic" : "is of a search with --symbolic";
  }
  if (there.at("heddle") != here["heddle"]) return "was written by another version of Heddle";
  if (there.at("program") != here["program"]) {
    return fmt::format("is a checkpoint of another program, {}", there["program"].get<std::string>());
  }
  if (there.at("executable") != here["executable"]) return "was written before the program was changed";
  if (there.at("arguments") != here["arguments"]) return "is of a search with other arguments for the program";
  const json& options = there.at("options");
  if (options.value("mode", 0) != here["options"].value("mode", 0)) return "is of another kind of search";
  if (options != here["options"]) {
    return fmt::format("is of a search with other options ({})", differing(options, here["options"]));
  }
  return "";
}

}  // namespace

std::string fingerprint(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::string fingerprint_of_file(const std::string& path) { return fingerprint(contents(path)); }

std::string place_for_interrupted(const json& search) {
  return cache_directory() / "interrupted" / (fingerprint(search.dump()) + ".checkpoint");
}

CheckpointContents read_checkpoint(const std::string& path, const json& search) {
  if (fs::is_directory(path)) throw UserError(path + " is a folder, not a checkpoint");
  const std::string file = contents(path);
  const std::string_view first = std::string_view(file).substr(0, file.find('\n'));
  if (!first.starts_with(kFormat)) throw UserError(path + " is not a checkpoint of heddle check");
  const std::string beginning = fmt::format("{}{} ", kFormat, kVersion);
  if (!first.starts_with(beginning)) throw UserError(path + " was written by another version of Heddle");
  const std::string_view rest = std::string_view(file).substr(std::min(file.size(), first.size() + 1));
  if (first.substr(beginning.size()) != fingerprint(rest)) throw UserError(path + " is damaged: it cannot be resumed");
  const std::size_t line = rest.find('\n');
  json described = json::parse(rest.substr(0, line));
  if (const std::string why = mismatch(described.at("search"), search); !why.empty()) {
    throw UserError(fmt::format("{} {}: it cannot be resumed here", path, why));
  }
  return {std::move(described), std::string(rest.substr(line + 1))};
}

bool write_checkpoint(const std::string& path, const json& search, json described, std::string_view state) {
  described["search"] = search;
  std::string rest = described.dump() + "\n";
  rest += state;
  try {
    if (path == place_for_interrupted(search)) fs::create_directories(fs::path(path).parent_path());
    write_durably(path, fmt::format("{}{} {}\n", kFormat, kVersion, fingerprint(rest)) + rest);
    return true;
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle: no checkpoint was written: {}\n", error.what());
    return false;
  }
}

}  // namespace heddle
