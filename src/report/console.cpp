#include "report/console.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/console_story.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

std::string counted(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

class Console {
 public:
  Console(const Result& result, const ConsoleStyle& style) : result_(result), style_(style), sources_(result.sources) {}

  std::string render() {
    for (const ReportedFinding& finding : result_.findings) render_finding(finding);
    for (const ReportedFinding& warning : result_.warnings) {
      heading(warning.location, "warning: " + warning.kind, "1;33", warning.message);
    }
    render_summary();
    return text_;
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }

  void sentence(std::size_t indent, const std::string& text) {
    for (const std::string& part : wrapped(std::string(indent, ' ') + printable(text), style_.width, indent + 2))
      line(part);
  }

  // "place: word: sentence", with the word in colour. Place and word stay in one line, where other tools look for them,
  // however long the place is.
  void heading(const Location& location, const std::string& word, const char* colour, const std::string& text) {
    constexpr char kJoined = '\1';
    const std::string where = place(location);
    std::string head = (where.empty() ? "" : where + ": ") + word + ":";
    std::replace(head.begin(), head.end(), ' ', kJoined);
    std::vector<std::string> lines = wrapped(head + " " + printable(text), style_.width, 2);
    std::replace(lines.front().begin(), lines.front().end(), kJoined, ' ');
    if (style_.colour) {
      const std::size_t at = head.size() - word.size() - 1;
      lines.front().insert(at + word.size(), "\033[0m");
      lines.front().insert(at, fmt::format("\033[{}m", colour));
    }
    for (const std::string& part : lines) line(part);
  }

  void render_stack(const std::vector<Frame>& stack) {
    bool shown = false;
    for (const Frame& frame : stack) {
      if (!frame.in_program) continue;
      const Location here{frame.file, frame.line, frame.function};
      const std::string source = sources_.line(here);
      sentence(4, fmt::format("in {} at {}", called(frame), place(here)));
      if (!source.empty()) line(fitted("      | " + printable(source), style_.width));
      shown = true;
    }
    if (!shown) render_library_stack(stack);
  }

  // Nothing of it is the program's own, as when exit destroys global objects: where it is, and who called that.
  void render_library_stack(const std::vector<Frame>& stack) {
    constexpr std::size_t kCallers = 4;
    const auto show = [&](const Frame& frame) {
      const Location here{frame.file, frame.line, frame.function};
      const std::string where = here.known() ? "at " + short_place(here) : "in " + shown_file(frame.module);
      sentence(4, fmt::format("in {} {}", called(frame), where));
    };
    const bool folds = stack.size() > kCallers + 2;
    if (folds) show(stack.front());
    if (folds) line(fmt::format("    ... {} calls", stack.size() - kCallers - 1));
    for (std::size_t i = folds ? stack.size() - kCallers : 0; i < stack.size(); ++i) show(stack[i]);
  }

  static std::string called(const Frame& frame) {
    return frame.function.empty() ? "?" : short_function(frame.function);
  }

  void render_finding(const ReportedFinding& finding) {
    heading(finding.location, finding.kind, "1;31", finding.message);
    const std::vector<const Involved*> cycle = find_cycle(finding);
    if (finding.kind == text(FindingKind::Deadlock) && !finding.involved.empty()) {
      render_waiting(finding, cycle);
    } else {
      // Of a livelock it is one of those that run round, and said with them.
      const bool among_them = std::any_of(finding.involved.begin(), finding.involved.end(), [&](const Involved& other) {
        return finding.kind == text(FindingKind::Livelock) && other.thread == finding.thread;
      });
      if (!among_them && (finding.involved.empty() || !finding.stack.empty())) {
        line("  " + thread_name(finding.thread) + ":");
        render_stack(finding.stack);
      }
      for (const Involved& other : finding.involved) {
        sentence(2, thread_name(other.thread) + ": " + other.text);
        render_stack(other.stack);
      }
    }
    if (!finding.inputs.empty()) line("  inputs:");
    for (const std::string& input : finding.inputs) sentence(4, input);
    if (!finding.events.empty()) {
      line("");
      text_ += story_to_console(tell_story(finding, style_.story), sources_, style_);
    }
    if (finding.loop > 0) {
      sentence(2, fmt::format("The last {} (from O on) lead back to where they begin, and so on for ever; what comes "
                              "before leads there.",
                              counted(finding.loop, "step")));
    }
    if (finding.minimised) sentence(2, minimised_text(*finding.minimised));
    render_output(finding);
    line("");
  }

  static std::string minimised_text(const Minimisation& m) {
    const auto size = [](const Minimisation::Size& s) {
      return counted(s.preemptions, "preemption") + ", " + counted(s.steps, "step");
    };
    std::string text = "Smallest form found: " + size(m.after);
    if (m.before.preemptions != m.after.preemptions || m.before.steps != m.after.steps) {
      text += fmt::format(" (as met: {})", size(m.before));
    }
    if (m.after.preemptions > 0 && m.fewest_preemptions) text += "; with fewer preemptions it does not show";
    return text + ".";
  }

  // What a thread waits for with the place where it does, which is not that of whoever holds it.
  static std::string placed(const Involved& waiting) {
    if (!waiting.location.known()) return waiting.text;
    std::string text = waiting.text;
    return text.insert(std::min(text.find(", held by "), text.size()), " at " + place(waiting.location));
  }

  // Who holds what and waits for what; the cycle first, in its order.
  void render_waiting(const ReportedFinding& finding, const std::vector<const Involved*>& cycle) {
    if (cycle.size() > 1) line("  each waits for the next, and the last for the first:");
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const Involved& here = *cycle[i];
      const Involved& before = *cycle[(i + cycle.size() - 1) % cycle.size()];
      std::string text = thread_name(here.thread);
      for (const Holder& holder : before.holders) {
        if (holder.thread != here.thread || before.object.empty()) continue;
        text += " holds " + before.object;
        if (holder.location.known()) text += " (" + short_place(holder.location) + ")";
        text += " and";
      }
      sentence(4, text + " " + placed(here));
    }
    for (const Involved& other : finding.involved) {
      bool in_cycle = false;
      for (const Involved* member : cycle) in_cycle = in_cycle || member == &other;
      if (in_cycle) continue;
      sentence(2, thread_name(other.thread) + " " + placed(other));
    }
  }

  void render_output(const ReportedFinding& finding) {
    if (finding.output.empty()) return;
    line("  the program's output in this execution:");
    for (std::size_t at = 0; at < finding.output.size();) {
      const std::size_t end = std::min(finding.output.find('\n', at), finding.output.size());
      line("    | " + finding.output.substr(at, end - at));
      at = end + 1;
    }
  }

  void render_solver() {
    const nlohmann::json& figures = result_.statistics_details["symbolic"];
    sentence(2, fmt::format("{}, {}, {} conflicts, {} decisions, {:.2f} s ({})",
                            counted(figures["depth"].get<std::size_t>(), "step"),
                            counted(result_.statistics.threads, "thread"), figures["conflicts"].get<std::uint64_t>(),
                            figures["decisions"].get<std::uint64_t>(), result_.seconds,
                            figures["solver"].get<std::string>()));
  }

  void render_states() {
    const Statistics& s = result_.statistics;
    sentence(2, fmt::format("{}, {}, {}, {} for each state, {:.2f} s", counted(s.states, "state"),
                            counted(s.transitions, "transition"), counted(s.threads, "thread"),
                            counted(result_.statistics_details["bytes_per_state"].get<std::uint64_t>(), "byte"),
                            result_.seconds));
  }

  void render_summary() {
    switch (result_.verdict) {
      case Verdict::Verified: heading({}, "verified", "1;32", result_.coverage.statement); break;
      case Verdict::Bug: heading({}, "bug", "1;31", counted(result_.findings.size(), "finding")); break;
      case Verdict::Incomplete: heading({}, "incomplete", "1;33", result_.reason); break;
      case Verdict::Unsupported: heading(result_.reason_location, "unsupported", "1;33", result_.reason); break;
    }
    if (result_.verdict == Verdict::Bug || result_.verdict == Verdict::Incomplete) {
      sentence(2, result_.coverage.statement);
    }
    for (const std::string& note : result_.coverage.not_modelled) sentence(2, "note: " + note);
    if (result_.statistics_details.contains("symbolic")) return render_solver();
    if (result_.statistics_details.contains("bytes_per_state")) return render_states();
    const Statistics& s = result_.statistics;
    std::string figures = counted(s.executions, "execution");
    if (s.blocked > 0) figures += fmt::format(", {} given up as known", s.blocked);
    sentence(2, fmt::format("{}, {}, {}, {:.2f} s", figures, counted(s.events, "event"), counted(s.threads, "thread"),
                            result_.seconds));
    if (s.abandoned > 0) {
      sentence(2, fmt::format("{} more were given up: an assumption did not hold, or a thread looked in vain for what "
                              "came later",
                              s.abandoned));
    }
  }

  const Result& result_;
  const ConsoleStyle& style_;
  SourceLines sources_;
  std::string text_;
};

std::string ending_for_stop(const ReportedFinding& stopped, const SourceLines& sources, const ConsoleStyle& style) {
  std::string text;
  for (const Involved& thread : stopped.involved) {
    const std::string where = thread.location.known() ? " at " + place(thread.location) : "";
    for (const std::string& line :
         wrapped("  " + thread_name(thread.thread) + ": " + thread.text + where, style.width, 4)) {
      text += line + "\n";
    }
    if (const std::string source = sources.line(thread.location); !source.empty()) {
      text += fitted("      | " + printable(source), style.width) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string stop_to_console(const ReportedFinding& stopped, const std::map<std::string, std::string>& sources,
                            const ConsoleStyle& style) {
  const SourceLines lines(sources);
  Story story = tell_story(stopped, style.story);
  story.lines.pop_back();  // there is no failure
  return story_to_console(story, lines, style) + "\n" + ending_for_stop(stopped, lines, style);
}

std::string to_console(const Result& result, const ConsoleStyle& style) { return Console(result, style).render(); }

}  // namespace heddle
