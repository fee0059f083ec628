#include "cli/suppressions.hpp"

#include <fmt/format.h>

#include <fstream>

#include "cli/user_error.hpp"

namespace heddle {
namespace {

// Whether `text` begins with what the pattern stands for; all of it must fit if `to_end`.
bool begins_with(std::string_view text, std::string_view pattern, bool to_end) {
  if (pattern.empty()) return !to_end || text.empty();
  if (pattern.front() == '*') {
    for (std::size_t skipped = 0; skipped <= text.size(); ++skipped) {
      if (begins_with(text.substr(skipped), pattern.substr(1), to_end)) return true;
    }
    return false;
  }
  return !text.empty() && text.front() == pattern.front() && begins_with(text.substr(1), pattern.substr(1), to_end);
}

bool fits(std::string_view name, std::string_view pattern) {
  const bool from_start = pattern.starts_with('^');
  const bool to_end = pattern.ends_with('$');
  if (from_start) pattern.remove_prefix(1);
  if (to_end) pattern.remove_suffix(1);
  for (std::size_t at = 0; at <= (from_start ? 0 : name.size()); ++at) {
    if (begins_with(name.substr(at), pattern, to_end)) return true;
  }
  return false;
}

}  // namespace

Suppressions::Suppressions(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw cannot("read", file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = line.find(':');
    const std::string kind = line.substr(0, colon);
    const bool known = kind == "uninstrumented" || kind == "assembly" || kind == "leak";
    if (!known || colon == std::string::npos || colon + 1 == line.size()) {
      throw UserError(
          fmt::format("{}:{}: `{}` is not a suppression; write uninstrumented:NAME, assembly:NAME or leak:NAME", file,
                      number, line));
    }
    list_.push_back({kind, line.substr(colon + 1)});
  }
}

bool Suppressions::covers(std::string_view kind, std::string_view name) const {
  for (const Suppression& suppression : list_) {
    if (suppression.kind == kind && fits(name, suppression.pattern)) return true;
  }
  return false;
}

}  // namespace heddle
