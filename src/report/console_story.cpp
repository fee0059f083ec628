#include "report/console_story.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/text.hpp"

namespace heddle {
namespace {

constexpr std::size_t kWidestOperation = 30;
constexpr std::size_t kWidestPlace = 18;
constexpr std::size_t kLeastSource = 10;
constexpr std::size_t kMostLanes = 16;  // of more threads only the names are shown

class StoryText {
 public:
  StoryText(const Story& story, const SourceLines& sources, const ConsoleStyle& style)
      : story_(story), sources_(sources), style_(style) {
    for (const StoryLine& line : story.lines) {
      if (line.kind == StoryLine::Kind::Operation || line.kind == StoryLine::Kind::Access) {
        operation_width_ = std::max(operation_width_, std::min(columns(line.text), kWidestOperation));
      }
      place_width_ = std::max(place_width_, std::min(columns(short_place(line.location, kWidestPlace)), kWidestPlace));
    }
  }

  std::string render() {
    header();
    for (const StoryLine& line : story_.lines) render_line(line);
    if (!story_.decisive.empty()) {
      for (const std::string& part : wrapped("  " + printable(story_.decisive), style_.width, 2)) {
        text_ += coloured("1", part) + "\n";
      }
    }
    return text_;
  }

 private:
  [[nodiscard]] std::string coloured(const char* code, const std::string& text) const {
    return style_.colour ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
  }

  [[nodiscard]] bool narrow() const { return story_.threads.size() <= kMostLanes; }

  // One character for each thread: M for main, then digits, then letters.
  [[nodiscard]] static char label(std::size_t lane) {
    if (lane == 0) return 'M';
    return static_cast<char>(lane < 10 ? '0' + lane : 'a' + (lane - 10));
  }

  void header() {
    if (!narrow()) return;
    std::string lanes;
    std::string legend;
    for (std::size_t i = 0; i < story_.threads.size(); ++i) {
      lanes += fmt::format("{} ", label(i));
      legend += fmt::format("{}{} {}", legend.empty() ? "" : ", ", label(i), thread_name(story_.threads[i]));
    }
    text_ += "   step " + lanes + " ";
    text_ += fitted(legend, style_.width - (9 + lanes.size())) + "\n";
  }

  [[nodiscard]] std::string lanes_of(const StoryLine& line) const {
    if (!narrow()) return line.thread.empty() ? std::string(12, ' ') : padded(thread_name(line.thread), 12);
    std::string lanes;
    for (std::size_t i = 0; i < story_.threads.size(); ++i) {
      const bool acts = story_.threads[i] == line.thread;
      const char state = line.lanes[i] == Lane::Absent ? ' ' : line.lanes[i] == Lane::Waiting ? ':' : '|';
      lanes += acts ? coloured("1;36", std::string(1, label(i))) : std::string(1, state);
      lanes += ' ';
    }
    return lanes;
  }

  void render_line(const StoryLine& line) {
    const bool event = line.kind == StoryLine::Kind::Operation && line.event.has_value();
    std::string mark = line.mark == ' ' ? "  " : fmt::format("{}>", line.mark);
    if (line.kind == StoryLine::Kind::Failure) mark = "X>";
    const std::string number = event ? fmt::format("{:>4}", *line.event + 1) : "    ";
    const std::size_t used = 9 + (narrow() ? 2 * story_.threads.size() : 12);
    const std::string left = " " + mark + number + " " + lanes_of(line) + " ";
    text_ += (mark == "  " ? left : coloured("1;31", " " + mark) + left.substr(3));
    text_ += rest_of(line, style_.width - std::min(used, style_.width - 20)) + "\n";
  }

  // Operation, place and source in what is left of the line: an operation that is too wide takes the others' room.
  [[nodiscard]] std::string rest_of(const StoryLine& line, std::size_t room) const {
    std::string text = printable(line.text);
    if (line.kind == StoryLine::Kind::Fold) return coloured("2", fitted(text, room));
    const std::string where = short_place(line.location, kWidestPlace);
    const std::string source = printable(sources_.line(line.location));
    if (where.empty()) return fitted(text, room);
    const std::size_t for_text = room - std::min(room, columns(where) + 2);
    text = padded(fitted(text, for_text), std::min(operation_width_, for_text)) + "  ";
    text += source.empty() ? where : padded(where, place_width_);
    const std::size_t left = columns(text) + 2 < room ? room - columns(text) - 2 : 0;
    if (source.empty() || left < kLeastSource) return fitted(text, room);
    return text + "  " + coloured("2", fitted(source, left));
  }

  const Story& story_;
  const SourceLines& sources_;
  const ConsoleStyle& style_;
  std::size_t operation_width_ = 0;
  std::size_t place_width_ = 0;
  std::string text_;
};

}  // namespace

std::string story_to_console(const Story& story, const SourceLines& sources, const ConsoleStyle& style) {
  return StoryText(story, sources, style).render();
}

}  // namespace heddle
