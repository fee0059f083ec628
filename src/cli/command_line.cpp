#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/user_error.hpp"

namespace heddle {

namespace {

// CLI11 takes `--cflags=` for an option without a value, and `--cflags ""` for what both of them mean. For all others a
// value is needed. What follows the program belongs to the program.
void write_empty_value_apart(const CLI::App& command, std::vector<std::string>& words) {
  for (auto word = words.begin(); word != words.end() && word->starts_with('-') && *word != "--"; ++word) {
    if (*word == "--cflags=") {
      word->pop_back();
      word = words.insert(word + 1, "");
      continue;
    }
    const CLI::Option* option = command.get_option_no_throw(*word);
    if (option != nullptr && option->get_items_expected_min() > 0 && ++word == words.end()) break;
  }
}

}  // namespace

bool parse_words(CLI::App& command, std::vector<std::string> words) {
  write_empty_value_apart(command, words);
  std::reverse(words.begin(), words.end());
  try {
    command.parse(words);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", command.help());
    return false;
  } catch (const CLI::ArgumentMismatch& error) {
    std::string text = error.what();
    const std::string option = text.substr(0, text.find(':'));
    if (text.ends_with("missing")) text = option + " needs a value";
    if (text.find("At Most") != std::string::npos) text = option + " was given more than once";
    throw UserError(fmt::format("{}; `{} --help` lists the options", text, command.get_name()));
  } catch (const CLI::ParseError& error) {
    throw UserError(fmt::format("{}; `{} --help` lists the options", error.what(), command.get_name()));
  }
  return true;
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return CLI::Validator(
      [=](const std::string& text) {
        const bool digits =
            !text.empty() && text.size() < 17 && text.find_first_not_of("0123456789") == std::string::npos;
        if (digits && std::stoull(text) >= least && std::stoull(text) <= most) return std::string();
        return fmt::format("{} is not a whole number from {} to {}", text, least, most);
      },
      "N");
}

std::chrono::nanoseconds parse_duration(const std::string& option, const std::string& text) {
  const auto refuse = [&] {
    return UserError(fmt::format("{}={} is not a duration; write for instance 60s, 500ms or 5m", option, text));
  };
  std::size_t end = 0;
  double number = 0;
  try {
    number = std::stod(text, &end);
  } catch (const std::exception&) {
    throw refuse();
  }
  const std::string unit = text.substr(end);
  double seconds = 1;
  if (unit == "ms") {
    seconds = 0.001;
  } else if (unit == "m" || unit == "min") {
    seconds = 60;
  } else if (unit == "h") {
    seconds = 3600;
  } else if (!unit.empty() && unit != "s") {
    throw refuse();
  }
  if (!(number * seconds > 0) || number * seconds > kLongestSeconds) {
    throw UserError(option + " needs a positive duration, of at most 100 days");
  }
  return std::chrono::nanoseconds(static_cast<std::int64_t>(number * seconds * 1e9));
}

void ChosenFinding::add_to(CLI::App& command, const char* purpose) {
  command.add_option("result", file, "the file that heddle check --json=FILE wrote")->required();
  command.add_option("--finding", number, purpose)->capture_default_str()->check(whole_number(1));
}

void ChosenFinding::check(std::size_t findings) const {
  if (number > findings) {
    throw UserError(fmt::format("{} has {} finding(s); there is no number {}", file, findings, number));
  }
}

}  // namespace heddle
