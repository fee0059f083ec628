#include "cli/progress.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

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

std::string progress_line(const ProgressState& state, std::size_t columns) {
  const Statistics& s = state.statistics;
  const bool over_states = s.executions == 0 && s.transitions > 0;
  const double done = static_cast<double>(over_states ? s.states : s.executions);
  const double each_second = state.seconds > 0 ? done / state.seconds : 0;
  // In the order in which they stand; the higher the rank, the sooner it is left out where there is no room.
  struct Part {
    std::string text;
    int rank;
  };
  std::vector<Part> parts{
      {short_number(done) + (over_states ? " states" : " executions"), 0},
      {over_states ? "" : of_how_many(state), 3},
      {fmt::format(", {}/s", short_number(each_second)), 4},
      {s.blocked > 0 ? fmt::format(", {} blocked", short_number(static_cast<double>(s.blocked))) : "", 5},
      {fmt::format(", depth {}", s.max_depth), 6},
      {fmt::format(", {} finding{}", state.findings, state.findings == 1 ? "" : "s"), 1},
      {", " + duration(state.seconds), 0},
      {over_states ? "" : time_left(state), 2}};
  const auto line = [&] {
    std::string whole;
    for (const Part& part : parts) whole += part.text;
    return whole;
  };
  for (int rank = 6; rank > 0 && line().size() > columns; --rank) {
    for (Part& part : parts) {
      if (part.rank == rank) part.text.clear();
    }
  }
  return line().substr(0, columns);
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
