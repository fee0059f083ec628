// A result in the forms that other tools read.
#pragma once

#include <string>

#include "report/result.hpp"

namespace heddle {

// One page that needs nothing else: lanes, arrows, sources, histories, and the exploration.
[[nodiscard]] std::string to_html(const Result& result);

// SARIF 2.1.0, for code scanning: findings are errors with their threads' operations as code flows, warnings are
// warnings, and a verdict without an answer is a notification of the run.
[[nodiscard]] std::string to_sarif(const Result& result);

// JUnit's XML: one test case for the program, failed with each finding; an error if there was no answer.
[[nodiscard]] std::string to_junit(const Result& result);

// GraphViz: the happens-before graph of one finding, one cluster for each thread.
[[nodiscard]] std::string to_graphviz(const ReportedFinding& finding);

// Chrome's trace format, for Perfetto: a track for each thread, a slice for each operation, arrows for happens-before.
[[nodiscard]] std::string to_trace(const ReportedFinding& finding);

}  // namespace heddle
