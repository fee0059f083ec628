// The text of the source files that a result names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/result.hpp"

namespace heddle {

// Reads the files that the findings name; what cannot be read, or is larger than any source, is left out.
[[nodiscard]] std::map<std::string, std::string> read_sources(const Result& result);

// Lines by number.
class SourceLines {
 public:
  explicit SourceLines(const std::map<std::string, std::string>& sources);
  // Without the blanks around it; empty if unknown.
  [[nodiscard]] std::string line(const Location& location) const;

 private:
  std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace heddle
