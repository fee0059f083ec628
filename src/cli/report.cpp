// `heddle report`: shows a result that an earlier check wrote, on the terminal or in another form.
#include <optional>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/report_files.hpp"
#include "cli/result_file.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

struct ReportOptions {
  ChosenFinding finding;
  ReportFiles files;
};

std::optional<ReportOptions> parse(const std::vector<std::string>& arguments) {
  ReportOptions options;
  CLI::App app("Shows a result of an earlier check: on the terminal, and in the forms asked for.", "heddle report");
  options.finding.add_to(app, "which finding to draw, counted from 1");
  add_report_options(app, options.files);
  if (!parse_words(app, arguments)) return std::nullopt;
  return options;
}

Result read(const std::string& file) {
  try {
    return result_from_json(read_result_file(file));
  } catch (const nlohmann::json::exception&) {
    throw UserError(file + " is damaged: a field is missing or of the wrong type");
  }
}

}  // namespace

int report(const std::vector<std::string>& arguments) {
  const std::optional<ReportOptions> options = parse(arguments);
  if (!options) return kExitClean;
  check_report_files(options->files);
  const Result result = read(options->finding.file);
  if (options->finding.number > 1) options->finding.check(result.findings.size());
  const int status = write_report_files(options->files, result, kExitClean, options->finding.number - 1);
  print_result(result);
  return status;
}

}  // namespace heddle
