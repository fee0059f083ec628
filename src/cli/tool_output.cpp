#include "cli/tool_output.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/user_error.hpp"

namespace heddle {

namespace fs = std::filesystem;

std::vector<std::string> split_blanks(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, const std::string& text) {
  const fs::path aside = path.string() + "." + std::to_string(::getpid());
  {
    std::ofstream file(aside, std::ios::binary);
    file << text;
    if (!file.flush()) {
      const UserError error = cannot("write", aside.string());
      fs::remove(aside);
      throw error;
    }
  }
  fs::rename(aside, path);
}

std::string hash_text(const std::string& text) {
  std::uint64_t a = 0xCBF29CE484222325U;
  std::uint64_t b = 0x9E3779B97F4A7C15U;
  for (const char raw : text) {
    const auto c = static_cast<unsigned char>(raw);
    a = (a ^ c) * 0x100000001B3U;
    b = (b + c) * 0xBF58476D1CE4E5B9U;
    b ^= b >> 29U;
  }
  std::array<char, 40> digits{};
  std::snprintf(digits.data(), digits.size(), "%016lx%016lx", a, b);
  return digits.data();
}

std::string output_of(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += "'" + word + "' ";
  line += "2>/dev/null </dev/null";
  std::string output;
  if (FILE* pipe = ::popen(line.c_str(), "r")) {
    std::array<char, 4096> buffer;
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), got);
    ::pclose(pipe);
  }
  return output;
}

}  // namespace heddle
