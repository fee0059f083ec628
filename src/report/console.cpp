#include "report/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace heddle {
namespace {

// Paths below the working directory are shown relative to it.
std::string shown_path(const std::string& file) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error || !std::filesystem::path(file).is_absolute()) return file;
  const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(here);
  return relative.empty() || relative.string().starts_with("..") ? file : relative.string();
}

std::string place(const Location& location) {
  return location.known() ? fmt::format("{}:{}", shown_path(location.file), location.line) : "";
}

std::string thread_name(const std::string& path) { return path == "0" ? "main" : "thread " + path.substr(2); }

class Console {
 public:
  explicit Console(const ConsoleStyle& style) : style_(style) {}

  std::string render(const Result& result) {
    for (const ReportedFinding& finding : result.findings) render_finding(finding, "1;31");
    for (const ReportedFinding& warning : result.warnings) render_warning(warning);
    render_summary(result);
    return text_;
  }

 private:
  template <typename... Words>
  void line(fmt::format_string<Words...> format, Words&&... words) {
    text_ += fmt::format(format, std::forward<Words>(words)...) + "\n";
  }

  std::string coloured(const char* code, const std::string& text) const {
    return style_.colour ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
  }

  void render_stack(const std::vector<Frame>& stack) {
    bool shown = false;
    for (const Frame& frame : stack) {
      if (!frame.in_program) continue;
      line("    in {} at {}:{}", frame.function.empty() ? "?" : frame.function, shown_path(frame.file), frame.line);
      shown = true;
    }
    if (shown || stack.empty()) return;
    for (const Frame& frame : stack) {
      if (frame.module.find("libheddle_rt") == std::string::npos) {
        line("    in {} ({})", frame.function.empty() ? "?" : frame.function, frame.module);
      }
    }
  }

  void render_finding(const ReportedFinding& finding, const char* colour) {
    const std::string where = place(finding.location);
    line("{}{}: {}", where.empty() ? "" : where + ": ", coloured(colour, finding.kind), finding.message);
    if (finding.involved.empty() || !finding.stack.empty()) {
      line("  {}", thread_name(finding.thread));
      render_stack(finding.stack);
    }
    for (const Involved& other : finding.involved) {
      line("  {}: {}", thread_name(other.thread), other.text);
      render_stack(other.stack);
    }
    if (!finding.inputs.empty()) line("  inputs:");
    for (const std::string& input : finding.inputs) line("    {}", input);
    render_events(finding);
    if (!finding.output.empty()) {
      line("  the program's output in this execution:");
      for (std::size_t at = 0; at < finding.output.size();) {
        const std::size_t end = std::min(finding.output.find('\n', at), finding.output.size());
        line("    | {}", finding.output.substr(at, end - at));
        at = end + 1;
      }
    }
    line("");
  }

  void render_events(const ReportedFinding& finding) {
    if (finding.events.empty()) return;
    const std::size_t count = finding.events.size();
    const std::size_t stem = count - std::min<std::size_t>(finding.loop, count);
    line("  schedule ({} steps):", stem);
    render_steps(finding, 0, stem);
    if (stem == count) return;
    line("  loop ({} steps, for ever):", count - stem);
    render_steps(finding, stem, count);
  }

  void render_steps(const ReportedFinding& finding, std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    const bool cut = count > style_.most_events;
    const std::size_t head = cut ? begin + style_.most_events / 3 : end;
    const std::size_t tail = cut ? end - style_.most_events * 2 / 3 : end;
    for (std::size_t i = begin; i < end; ++i) {
      if (i == head && tail > head) {
        line("    ... {} steps ...", tail - head);
        i = tail;
      }
      // A step that is repeated is shown once.
      std::size_t again = i;
      while (again + 1 < end && event_text(finding.events[again + 1]) == event_text(finding.events[i])) ++again;
      line("{}", event_text(finding.events[i]));
      if (again > i + 1) line("    ... {} times in a row ...", again - i + 1);
      if (again > i + 1) i = again;
    }
  }

  static std::string event_text(const ReportedEvent& event) {
    std::string what = event.text;
    if (!event.other.empty()) {
      what += " of " + thread_name(event.other);
    } else if (!event.object.empty()) {
      what += " " + event.object;
    }
    if (event.has_value) what += fmt::format(" ({})", static_cast<std::int64_t>(event.value));
    if (event.outcome != 0) what += fmt::format(" [outcome {}]", event.outcome);
    return fmt::format("    {:<10} {:<42} {}", thread_name(event.thread), what, place(event.location));
  }

  void render_warning(const ReportedFinding& warning) {
    const std::string where = place(warning.location);
    line("{}{}: {}", where.empty() ? "" : where + ": ", coloured("1;33", "warning: " + warning.kind), warning.message);
  }

  void render_solver(const Result& result) {
    const nlohmann::json& figures = result.statistics_details["symbolic"];
    line("  {} steps, {} threads, {} conflicts, {} decisions, {:.2f} s ({})", figures["depth"].get<std::size_t>(),
         result.statistics.threads, figures["conflicts"].get<std::uint64_t>(),
         figures["decisions"].get<std::uint64_t>(), result.seconds, figures["solver"].get<std::string>());
  }

  void render_states(const Result& result) {
    line("  {} states, {} transitions, {} threads, {} bytes per state, {:.2f} s", result.statistics.states,
         result.statistics.transitions, result.statistics.threads,
         result.statistics_details["bytes_per_state"].get<std::uint64_t>(), result.seconds);
  }

  void render_summary(const Result& result) {
    switch (result.verdict) {
      case Verdict::Verified: line("{}: {}", coloured("1;32", "verified"), result.coverage.statement); break;
      case Verdict::Bug:
        line("{}: {} found", coloured("1;31", "bug"),
             result.findings.size() == 1 ? "1 finding" : std::to_string(result.findings.size()) + " findings");
        break;
      case Verdict::Incomplete: line("{}: {}", coloured("1;33", "incomplete"), result.reason); break;
      case Verdict::Unsupported: {
        const std::string where = place(result.reason_location);
        line("{}{}: {}", where.empty() ? "" : where + ": ", coloured("1;33", "unsupported"), result.reason);
        break;
      }
    }
    if (result.verdict == Verdict::Bug || result.verdict == Verdict::Incomplete)
      line("  {}", result.coverage.statement);
    for (const std::string& note : result.coverage.not_modelled) line("  note: {}", note);
    if (result.statistics_details.contains("symbolic")) return render_solver(result);
    if (result.statistics_details.contains("bytes_per_state")) return render_states(result);
    line("  {} executions, {} events, {} threads, {:.2f} s", result.statistics.executions, result.statistics.events,
         result.statistics.threads, result.seconds);
    if (result.statistics.abandoned > 0) {
      line("  {} more were given up: an assumption did not hold, or a thread looked in vain for what came later",
           result.statistics.abandoned);
    }
  }

  const ConsoleStyle& style_;
  std::string text_;
};

}  // namespace

std::string to_console(const Result& result, const ConsoleStyle& style) { return Console(style).render(result); }

}  // namespace heddle
