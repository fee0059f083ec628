// The files a result can be written to, and its way to the terminal: the same for every command that has one.
#pragma once

#include <string>

#include "report/result.hpp"

namespace CLI {
class App;
}

namespace heddle {

// Empty: not wanted.
struct ReportFiles {
  std::string json;
  std::string html;
  std::string sarif;
  std::string junit;
  std::string graphviz;
  std::string trace;
};

void add_report_options(CLI::App& app, ReportFiles& files);
// Throws UserError if one of them could not be written.
void check_report_files(const ReportFiles& files);
// Graphs and traces are of one finding, counted from 0. A file that cannot be written (any more) is said, and keeps
// nobody from seeing the rest. The status to exit with, which was to be `status`.
[[nodiscard]] int write_report_files(const ReportFiles& files, const Result& result, int status,
                                     std::size_t finding = 0);

// To standard output; in colour on a terminal.
void print_result(const Result& result);
void print_stop(const ReportedFinding& stopped);

}  // namespace heddle
