#include "report/sources.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace heddle {
namespace {

constexpr std::uintmax_t kLargest = 1U << 20U;

}  // namespace

std::map<std::string, std::string> read_sources(const Result& result) {
  std::map<std::string, std::string> sources;
  for (const ReportedFinding& finding : result.findings) {
    for (const Location& place : locations_of(finding)) {
      if (sources.contains(place.file)) continue;
      std::error_code error;
      if (!std::filesystem::is_regular_file(place.file, error)) continue;
      if (std::filesystem::file_size(place.file, error) > kLargest || error) continue;
      std::ifstream file(place.file, std::ios::binary);
      sources[place.file] = {std::istreambuf_iterator<char>(file), {}};
    }
  }
  return sources;
}

SourceLines::SourceLines(const std::map<std::string, std::string>& sources) {
  for (const auto& [file, text] : sources) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines_[file].push_back(line);
  }
}

std::string SourceLines::line(const Location& location) const {
  const auto file = lines_.find(location.file);
  if (file == lines_.end() || location.line < 1) return "";
  const auto number = static_cast<std::size_t>(location.line);
  if (number > file->second.size()) return "";
  const std::string& text = file->second[number - 1];
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace heddle
