#include "model/choice.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace heddle {
namespace {

constexpr std::uint32_t kLongestRun = 100'000'000;  // a text with a longer run than any schedule is damaged

bool is_path(std::string_view text) {
  bool digit_expected = true;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit && (c != '.' || digit_expected)) return false;
    digit_expected = !digit;
  }
  return !text.empty() && !digit_expected;
}

// Splits "body<mark>number" and parses the number; an absent mark leaves `number` alone.
bool take_number(std::string_view& body, char mark, std::uint32_t& number) {
  const std::size_t at = body.find(mark);
  if (at == std::string_view::npos) return true;
  const std::string_view digits = body.substr(at + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  body = body.substr(0, at);
  return error == std::errc{} && end == digits.data() + digits.size();
}

}  // namespace

std::string to_text(const std::vector<NamedChoice>& schedule) {
  std::string text;
  for (std::size_t i = 0; i < schedule.size();) {
    std::size_t run = 1;
    while (i + run < schedule.size() && schedule[i + run] == schedule[i]) ++run;
    if (!text.empty()) text += ' ';
    text += schedule[i].thread;
    if (schedule[i].outcome != 0) text += '!' + std::to_string(schedule[i].outcome);
    if (run > 1) text += '*' + std::to_string(run);
    i += run;
  }
  return text;
}

std::optional<std::vector<NamedChoice>> schedule_from_text(std::string_view text) {
  std::vector<NamedChoice> schedule;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    std::string_view step = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    std::uint32_t run = 1;
    NamedChoice choice;
    if (!take_number(step, '*', run) || !take_number(step, '!', choice.outcome)) return std::nullopt;
    if (!is_path(step) || run == 0 || run > kLongestRun) return std::nullopt;
    choice.thread = step;
    schedule.insert(schedule.end(), run, choice);
  }
  return schedule;
}

}  // namespace heddle
