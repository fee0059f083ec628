#include "cli/report_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "cli/result_file.hpp"
#include "cli/user_error.hpp"
#include "report/console.hpp"
#include "report/forms.hpp"
#include "report/sources.hpp"

namespace heddle {
namespace {

struct Form {
  const char* option;
  const char* meaning;
  std::string ReportFiles::*file;
  bool of_finding;
  std::string (*write)(const Result& result, std::size_t finding);
};

std::string json_text(const Result& result, std::size_t) {
  return to_json(result).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// One table for the options, the checks and the writing.
constexpr Form kForms[] = {
    {"--json", "write the result to this file", &ReportFiles::json, false, json_text},
    {"--html", "write a page to look at it in a browser", &ReportFiles::html, false,
     [](const Result& result, std::size_t) { return to_html(result); }},
    {"--sarif", "write it as SARIF 2.1.0, for code scanning", &ReportFiles::sarif, false,
     [](const Result& result, std::size_t) { return to_sarif(result); }},
    {"--junit", "write it as JUnit's XML", &ReportFiles::junit, false,
     [](const Result& result, std::size_t) { return to_junit(result); }},
    {"--graphviz", "write the happens-before graph of the finding, for dot", &ReportFiles::graphviz, true,
     [](const Result& result, std::size_t finding) { return to_graphviz(result.findings[finding]); }},
    {"--trace", "write the finding as a trace, for Perfetto", &ReportFiles::trace, true,
     [](const Result& result, std::size_t finding) { return to_trace(result.findings[finding]); }},
};

ConsoleStyle console_style() { return {.colour = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr}; }

}  // namespace

void add_report_options(CLI::App& app, ReportFiles& files) {
  for (const Form& form : kForms) app.add_option(form.option, files.*form.file, form.meaning);
}

void check_report_files(const ReportFiles& files) {
  for (const Form& form : kForms) {
    if (!(files.*form.file).empty()) check_output_file(form.option, files.*form.file);
  }
}

int write_report_files(const ReportFiles& files, const Result& result, int status, std::size_t finding) {
  for (const Form& form : kForms) {
    const std::string& file = files.*form.file;
    if (file.empty()) continue;
    if (form.of_finding && finding >= result.findings.size()) {
      fmt::print(stderr, "heddle: there is no finding to draw: {} was not written\n", file);
      continue;
    }
    try {
      write_output_file(file, form.write(result, finding));
    } catch (const UserError& error) {
      fmt::print(stderr, "heddle: {}\n", error.what());
      if (status == kExitClean) status = kExitUserError;
    }
  }
  return status;
}

void print_result(const Result& result) { fmt::print("{}", to_console(result, console_style())); }

void print_stop(const ReportedFinding& stopped) {
  Result result;
  result.findings.push_back(stopped);
  fmt::print("{}", stop_to_console(stopped, read_sources(result), console_style()));
}

}  // namespace heddle
