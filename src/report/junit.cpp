#include <fmt/format.h>

#include <filesystem>

#include "report/console.hpp"
#include "report/forms.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

// XML 1.0 knows no control characters but tab, newline and return, not even as references; and bytes must be UTF-8.
std::string escaped(const std::string& raw) {
  const std::string text =
      nlohmann::json::parse(nlohmann::json(raw).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::string xml;
  for (const char c : text) {
    switch (c) {
      case '&': xml += "&amp;"; break;
      case '<': xml += "&lt;"; break;
      case '>': xml += "&gt;"; break;
      case '"': xml += "&quot;"; break;
      case '\n': xml += "&#10;"; break;
      case '\t': xml += "&#9;"; break;
      default: xml += static_cast<unsigned char>(c) < 0x20U || c == 0x7F ? '?' : c;
    }
  }
  return xml;
}

// The console's text about one finding.
std::string told(const Result& result, const ReportedFinding& finding) {
  Result one = result;
  one.findings = {finding};
  one.warnings.clear();
  return to_console(one, {});
}

// Without a zone, as the schema has it.
std::string timestamp(const Result& result) {
  return result.began.empty() ? "1970-01-01T00:00:00" : result.began.substr(0, result.began.size() - 1);
}

}  // namespace

std::string to_junit(const Result& result) {
  const std::string name = std::filesystem::path(result.program).filename().string();
  const bool answered = result.verdict == Verdict::Verified || result.verdict == Verdict::Bug;
  // Each finding is a test case that failed: the schema allows one failure for each case.
  const std::size_t cases = std::max<std::size_t>(1, result.findings.size());
  std::string body;
  for (const ReportedFinding& finding : result.findings) {
    body += fmt::format(
        "    <testcase name=\"{}\" classname=\"heddle.{}\" time=\"{:.3f}\">\n      <failure message=\"{}\" "
        "type=\"{}\">{}</failure>\n    </testcase>\n",
        escaped(finding.kind + " " + place(finding.location)), escaped(name), result.seconds, escaped(finding.message),
        escaped(finding.kind), escaped(told(result, finding)));
  }
  if (result.findings.empty()) {
    body += fmt::format("    <testcase name=\"{}\" classname=\"heddle.{}\" time=\"{:.3f}\"{}", "all schedules",
                        escaped(name), result.seconds, answered ? "/>\n" : ">\n");
    if (!answered) {
      body += fmt::format("      <error message=\"{}\" type=\"{}\">{}</error>\n    </testcase>\n",
                          escaped(result.reason), text(result.verdict), escaped(result.coverage.statement));
    }
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite id=\"0\" package=\"heddle\" "
      "name=\"heddle "
      "{0}\" timestamp=\"{7}\" hostname=\"localhost\" tests=\"{1}\" failures=\"{2}\" errors=\"{3}\" skipped=\"0\" "
      "time=\"{4:.3f}\">\n    <properties>\n      <property name=\"verdict\" value=\"{8}\"/>\n    </properties>\n{5}   "
      " "
      "<system-out>{6}</system-out>\n    <system-err></system-err>\n  </testsuite>\n</testsuites>\n",
      escaped(name), cases, result.findings.size(), answered ? 0 : 1, result.seconds, body,
      escaped(result.coverage.statement), timestamp(result), text(result.verdict));
}

}  // namespace heddle
