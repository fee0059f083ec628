#include "report/text.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace heddle {
namespace {

constexpr std::uint64_t kLikelyAddress = std::uint64_t{1} << 32U;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string list(const std::vector<std::string>& threads) {
  std::string text;
  for (const std::string& thread : threads) text += (text.empty() ? "" : ", ") + thread_name(thread);
  return text;
}

}  // namespace

std::string thread_name(const std::string& path) {
  if (path.starts_with("0.")) return "thread " + path.substr(2);
  return path == "0" ? "main" : "thread " + path;
}

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

std::string short_place(const Location& location, std::size_t width) {
  if (!location.known()) return "";
  const std::filesystem::path file = std::filesystem::path(location.file).filename();
  const std::string line = ":" + std::to_string(location.line);
  if (columns(file.string()) + line.size() <= width) return file.string() + line;
  const std::string ending = "~" + file.extension().string() + line;
  std::string stem = file.stem().string();
  while (!stem.empty() && columns(stem) + columns(ending) > width) {
    do stem.pop_back();
    while (!stem.empty() && continues_character(stem.back()));
  }
  return stem + ending;
}

std::string value_text(std::uint64_t value, std::uint32_t size) {
  switch (size) {
    case 1: return std::to_string(static_cast<std::int8_t>(value));
    case 2: return std::to_string(static_cast<std::int16_t>(value));
    case 4: return std::to_string(static_cast<std::int32_t>(value));
    default: break;
  }
  const auto number = static_cast<std::int64_t>(value);
  const bool address = number > 0 && value >= kLikelyAddress;
  return address ? fmt::format("{:#x}", value) : std::to_string(number);
}

std::string shown_file(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string short_function(const std::string& name) {
  constexpr std::size_t kLong = 100;
  if (name.size() <= kLong) return name;
  std::string result;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    // Brackets that are operators stand for themselves: "operator<", "operator->", "operator<=>".
    const std::size_t before = result.rfind("operator");
    const bool is_operator =
        depth == 0 && before != std::string::npos && result.find_first_not_of("<>=-", before + 8) == std::string::npos;
    const bool opens = name[i] == '<' && !is_operator;
    const bool closes = name[i] == '>' && !is_operator && depth > 0;
    if (opens && depth++ == 0) result += "<..";
    if (closes) --depth;
    if (depth == 0) result += name[i];
  }
  return result;
}

std::string operation_text(const ReportedEvent& event) {
  const auto value = [&](std::uint64_t v) { return value_text(v, event.size); };
  const std::string& object = event.object;
  std::string text;
  if (event.cancelled) {
    text = event.kind == "CancelPoint" ? "is cancelled" : "is cancelled in " + event.text;
    const std::string what = event.kind == "ThreadJoin" ? thread_name(event.other) : object;
    text += what.empty() ? "" : " " + what;
  } else if (event.kind == "ThreadCreate") {
    text = "create " + thread_name(event.other);
  } else if (event.kind == "ThreadJoin") {
    text = (event.outcome == 0 ? "join " : "give up joining ") + thread_name(event.other);
  } else if (event.kind == "Choose") {
    text = fmt::format("choose {}", event.outcome);
  } else if (event.has_value && (event.kind == "Load" || event.kind == "Store")) {
    text = fmt::format("{} {} = {}", event.text, object, value(event.value));
    if (event.kind == "Store") text += fmt::format(" (was {})", value(event.before));
  } else if (event.has_value && event.after) {
    text = fmt::format("{} {}: {} -> {}", event.kind == "Cas" ? event.text : "update", object, value(event.before),
                       value(*event.after));
  } else if (event.has_value) {
    text = fmt::format("{} {} (is {})", event.text, object, value(event.before));
  } else {
    text = event.text + (object.empty() ? "" : " " + object);
    if (event.kind == "SemWait" || event.kind == "SemPost") {
      const std::uint64_t after = event.kind == "SemWait" ? event.before - 1 : event.before + 1;
      text += fmt::format(": {} -> {}", event.before, after);
    } else if (event.outcome != 0 && event.wakes.empty()) {
      text += fmt::format(" [outcome {}]", event.outcome);
    }
  }
  if (!event.order.empty()) text = event.order + " " + text;
  if (!event.wakes.empty()) text += ", wakes " + list(event.wakes);
  if (!event.also.empty()) text += ", and " + event.also;
  return text;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find(' ', at);
    if (end == std::string::npos) end = text.size();
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.find_first_not_of(' ') != std::string::npos &&
        columns(line) + 1 + columns(word) > width) {
      lines.push_back(line);
      line = std::string(indent, ' ') + word;
    } else {
      line += (at == 0 ? "" : " ") + word;
    }
    at = end + 1;
  }
  lines.push_back(line);
  return lines;
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += continues_character(c) ? 0U : 1U;
  return count;
}

std::string fitted(const std::string& text, std::size_t width) {
  if (columns(text) <= width) return text;
  std::size_t kept = 0;
  std::size_t end = 0;
  while (end < text.size() && (kept + 2 < width || continues_character(text[end]))) {
    kept += continues_character(text[end]) ? 0U : 1U;
    ++end;
  }
  while (end < text.size() && continues_character(text[end])) ++end;
  return width < 2 ? "" : text.substr(0, end) + "..";
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

std::string printable(const std::string& text) {
  std::string result = text;
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = c == '\t' ? ' ' : '?';
  }
  return result;
}

}  // namespace heddle
