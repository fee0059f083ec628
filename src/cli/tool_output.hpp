// Small things around running tools: what they print, files made of it, names for caching it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

[[nodiscard]] std::vector<std::string> split_blanks(const std::string& text);
[[nodiscard]] std::string read_file(const std::filesystem::path& path);
// Writes aside and renames, so that nobody ever sees half a file.
void write_file(const std::filesystem::path& path, const std::string& text);
[[nodiscard]] std::string hash_text(const std::string& text);
// What a command prints to its standard output; empty if it fails.
[[nodiscard]] std::string output_of(const std::vector<std::string>& command);

}  // namespace heddle
