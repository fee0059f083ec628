// What the commands' options have in common: how words are taken by them, and the kinds of values that several have.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

// Takes the words by the command's options. False if only help was asked for, which has then been printed. Throws
// UserError, naming the command, if they do not fit.
[[nodiscard]] bool parse_words(CLI::App& command, std::vector<std::string> words);

// Whole numbers in a range, for options; what the option parser itself would let wrap around is refused.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least, std::uint64_t most = 1'000'000'000'000'000);

// A number with a unit of time: "60s", "500ms", "5m", "1h"; plain numbers are seconds. Throws UserError.
[[nodiscard]] std::chrono::nanoseconds parse_duration(const std::string& option, const std::string& text);

inline constexpr double kLongestSeconds = 100.0 * 24 * 3600;

// Which finding of a result, counted from 1, for the commands that take a result.
struct ChosenFinding {
  std::string file;
  std::size_t number = 1;

  void add_to(CLI::App& command, const char* purpose);
  // Throws UserError if the result has no such finding.
  void check(std::size_t findings) const;
};

}  // namespace heddle
