#include "cli/progress.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace heddle {
namespace {

double rate(const ProgressState& state) {
  return state.seconds > 0 ? static_cast<double>(state.statistics.executions) / state.seconds : 0;
}

// 12345 -> "12.3k": the line must not grow.
std::string short_number(double number) {
  if (number < 10'000) return fmt::format("{:.0f}", number);
  if (number < 1e6) return fmt::format("{:.1f}k", number / 1e3);
  if (number < 1e9) return fmt::format("{:.1f}M", number / 1e6);
  return fmt::format("{:.1f}G", number / 1e9);
}

}  // namespace

std::string progress_line(const ProgressState& state) {
  const Statistics& s = state.statistics;
  if (s.executions == 0 && s.transitions > 0) {  // a search over states
    return fmt::format("{} states, {}/s, depth {}, {:.0f} s", short_number(static_cast<double>(s.states)),
                       short_number(state.seconds > 0 ? static_cast<double>(s.states) / state.seconds : 0), s.max_depth,
                       state.seconds);
  }
  std::string line = short_number(static_cast<double>(s.executions)) + " executions";
  if (state.estimate > 0) {
    line += state.estimate_error >= 1 ? fmt::format(" of about {:.0e}", state.estimate)
                                      : " of about " + short_number(state.estimate);
  }
  line += fmt::format(", {}/s", short_number(rate(state)));
  if (s.blocked > 0) line += fmt::format(", {} blocked", short_number(static_cast<double>(s.blocked)));
  line += fmt::format(", depth {}, {} finding{}, {:.0f} s", s.max_depth, state.findings, state.findings == 1 ? "" : "s",
                      state.seconds);
  return line.substr(0, 79);
}

std::string progress_json(const ProgressState& state) {
  const Statistics& s = state.statistics;
  nlohmann::json line{{"seconds", state.seconds}, {"executions", s.executions}, {"rate", rate(state)},
                      {"blocked", s.blocked},     {"abandoned", s.abandoned},   {"events", s.events},
                      {"depth", s.max_depth},     {"findings", state.findings}};
  if (state.estimate > 0) {
    line["estimate"] = state.estimate;
    line["estimate_error"] = state.estimate_error;
  }
  return line.dump();
}

}  // namespace heddle
