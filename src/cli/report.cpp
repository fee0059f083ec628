// `heddle report`: shows a result that an earlier check wrote, on the terminal or in another form.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/report_files.hpp"
#include "cli/result_file.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

struct ReportOptions {
  std::string file;
  std::size_t finding = 1;
  ReportFiles files;
};

std::optional<ReportOptions> parse(const std::vector<std::string>& arguments) {
  ReportOptions options;
  CLI::App app("Shows a result of an earlier check: on the terminal, and in the forms asked for.", "heddle report");
  app.add_option("result", options.file, "the file that heddle check --json=FILE wrote")->required();
  app.add_option("--finding", options.finding, "which finding to draw, counted from 1")->capture_default_str();
  add_report_options(app, options.files);
  std::vector<std::string> words(arguments.rbegin(), arguments.rend());
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw UserError(std::string(error.what()) + "; `heddle report --help` lists the options");
  }
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
  const Result result = read(options->file);
  if (options->finding < 1 || (options->finding > 1 && options->finding > result.findings.size())) {
    throw UserError(fmt::format("{} has {} finding(s); there is no number {}", options->file, result.findings.size(),
                                options->finding));
  }
  write_report_files(options->files, result, options->finding - 1);
  print_result(result);
  return kExitClean;
}

}  // namespace heddle
