#include "cli/result_file.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "cli/user_error.hpp"

namespace heddle {
namespace {

// Pipes and devices are written to; only plain files are written aside and renamed.
bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

std::string aside(const std::string& path) { return path + ".partial"; }

}  // namespace

void check_output_file(const std::string& option, const std::string& path) {
  if (std::filesystem::is_directory(path)) throw UserError(option + "=" + path + " is a folder, not a file");
  if (is_special(path)) return;
  const std::ofstream probe(aside(path));
  if (!probe) throw cannot("write", path);
  ::unlink(aside(path).c_str());
}

void write_output_file(const std::string& path, const std::string& text) {
  const bool special = is_special(path);
  const std::string target = special ? path : aside(path);
  {
    std::ofstream file(target, std::ios::binary);
    file << text;
    if (!file.flush()) {
      const UserError error = cannot("write", path);
      if (!special) ::unlink(target.c_str());
      throw error;
    }
  }
  if (!special && ::rename(target.c_str(), path.c_str()) != 0) throw cannot("write", path);
}

void write_durably(const std::string& path, const std::string& text) {
  const int file = ::open(aside(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool written = file >= 0;
  for (std::size_t at = 0; written && at < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + at, text.size() - at);
    written = wrote > 0 || (wrote < 0 && errno == EINTR);
    if (wrote > 0) at += static_cast<std::size_t>(wrote);
  }
  written = written && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (!written || ::rename(aside(path).c_str(), path.c_str()) != 0) {
    const UserError why = cannot("write", path);
    ::unlink(aside(path).c_str());
    throw why;
  }
  // The name, too, is to survive.
  const std::string folder = std::filesystem::absolute(path).parent_path();
  if (const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
}

std::string now_text() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

nlohmann::json read_result_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw UserError(path + " is a folder, not a result file");
  std::ifstream file(path);
  if (!file) throw cannot("read", path);
  nlohmann::json result = nlohmann::json::parse(file, nullptr, false);
  if (result.is_discarded() || !result.is_object() || !result.contains("findings") || !result.contains("schema")) {
    throw UserError(path + " is not a result of heddle check --json");
  }
  if (result.at("schema") != 1)
    throw UserError(path + " was written by another version of Heddle, with another format");
  return result;
}

}  // namespace heddle
