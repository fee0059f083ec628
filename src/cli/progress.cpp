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
  if (number < 1e12) return fmt::format("{:.1f}G", number / 1e9);
  return fmt::format("{:.0e}", number);
}

std::string duration(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 60 * kMinute;
  constexpr double kDay = 24 * kHour;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 2 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
  return seconds < 730 * kDay ? fmt::format("{:.0f} days", seconds / kDay) : "years";
}

// " of 1.2M (+-30%)"; where no more than the order of magnitude is known, that alone.
std::string of_how_many(const ProgressState& state) {
  if (state.estimate <= 0) return "";
  if (state.estimate_error >= 1) return fmt::format(" of about {:.0e}", state.estimate);
  return fmt::format(" of {} (+-{:.0f}%)", short_number(state.estimate), 100 * state.estimate_error);
}

std::string time_left(const ProgressState& state) {
  const double left = state.estimate - static_cast<double>(state.statistics.executions);
  if (state.estimate <= 0 || left <= 0 || rate(state) <= 0) return "";
  return fmt::format(", {}{} left", state.estimate_error >= 1 ? "perhaps " : "", duration(left / rate(state)));
}

}  // namespace

std::string progress_line(const ProgressState& state) {
  const Statistics& s = state.statistics;
  if (s.executions == 0 && s.transitions > 0) {  // a search over states
    return fmt::format("{} states, {}/s, depth {}, {:.0f} s", short_number(static_cast<double>(s.states)),
                       short_number(state.seconds > 0 ? static_cast<double>(s.states) / state.seconds : 0), s.max_depth,
                       state.seconds);
  }
  std::string line = short_number(static_cast<double>(s.executions)) + " executions" + of_how_many(state);
  line += fmt::format(", {}/s", short_number(rate(state)));
  if (s.blocked > 0) line += fmt::format(", {} blocked", short_number(static_cast<double>(s.blocked)));
  const std::string end = fmt::format(", {} finding{}, {}{}", state.findings, state.findings == 1 ? "" : "s",
                                      duration(state.seconds), time_left(state));
  const std::string depth = fmt::format(", depth {}", s.max_depth);
  constexpr std::size_t kColumns = 79;
  if (line.size() + depth.size() + end.size() <= kColumns) line += depth;
  return (line + end).substr(0, kColumns);
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
