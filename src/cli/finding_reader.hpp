// The worker's messages about findings, with addresses resolved to places and names.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/result.hpp"
#include "report/symbolizer.hpp"

namespace heddle {

class FindingReader {
 public:
  // All messages of a worker: one of them says what is loaded where.
  explicit FindingReader(const std::vector<nlohmann::json>& messages);
  [[nodiscard]] ReportedFinding read(const nlohmann::json& message);
  // The smaller form of a finding; without `minimised` if it did not show when it was run once more.
  [[nodiscard]] ReportedFinding smaller(const nlohmann::json& message, const ReportedFinding& original);
  [[nodiscard]] Decisive decisive(const nlohmann::json& message, const ReportedFinding& finding);
  [[nodiscard]] Location locate(const nlohmann::json& stack);

 private:
  [[nodiscard]] std::vector<Frame> stack(const nlohmann::json& addresses);
  [[nodiscard]] std::string object_name(const nlohmann::json& object, const std::string& kind);
  [[nodiscard]] Involved involved(const nlohmann::json& message);
  [[nodiscard]] ReportedEvent event(const nlohmann::json& message);

  Symbolizer symbolizer_;
  std::map<std::uint64_t, std::string> numbered_;  // objects without a name, by address
  std::map<std::string, int> last_number_;
};

}  // namespace heddle
