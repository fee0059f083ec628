// Makes a result of what a worker reported and how it ended.
#pragma once

#include "cli/check_options.hpp"
#include "cli/supervisor.hpp"
#include "report/result.hpp"

namespace heddle {

// Fills in everything but the program, its arguments and how it was built.
[[nodiscard]] Result assemble(const WorkerOutcome& outcome, const CheckOptions& options);

// One message of type "finding" with its addresses resolved.
class FindingReader {
 public:
  explicit FindingReader(const std::vector<nlohmann::json>& messages);
  [[nodiscard]] ReportedFinding read(const nlohmann::json& message);
  [[nodiscard]] Location locate(const nlohmann::json& stack);

 private:
  [[nodiscard]] std::vector<Frame> stack(const nlohmann::json& addresses);
  [[nodiscard]] std::string object_name(const nlohmann::json& object);
  [[nodiscard]] Involved involved(const nlohmann::json& message);

  Symbolizer symbolizer_;
};

// The first message of a type, or null.
[[nodiscard]] const nlohmann::json* find_message(const WorkerOutcome& outcome, const char* type);

}  // namespace heddle
