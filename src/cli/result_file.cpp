#include "cli/result_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

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

void check_result_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw UserError("--json=" + path + " is a folder, not a file");
  if (is_special(path)) return;
  const std::ofstream probe(aside(path));
  if (!probe) throw cannot("write", path);
  ::unlink(aside(path).c_str());
}

void write_result_file(const std::string& path, const Result& result) {
  const bool special = is_special(path);
  const std::string target = special ? path : aside(path);
  {
    std::ofstream file(target);
    file << to_json(result).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    if (!file.flush()) {
      const UserError error = cannot("write", path);
      if (!special) ::unlink(target.c_str());
      throw error;
    }
  }
  if (!special && ::rename(target.c_str(), path.c_str()) != 0) throw cannot("write", path);
}

}  // namespace heddle
