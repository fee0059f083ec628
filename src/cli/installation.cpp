#include "cli/installation.hpp"

#include <unistd.h>

#include <cstdlib>

#include "cli/user_error.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

Installation find_installation() {
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  if (error) throw UserError("cannot find out where heddle is installed: " + error.message());
  const fs::path prefix = command.parent_path().parent_path();
  Installation found{.runtime = prefix / HEDDLE_PRIVATE_LIBDIR / "libheddle_rt.so",
                     .stream_entries = prefix / HEDDLE_PRIVATE_LIBDIR / "libheddle_streams.so",
                     .tsan_directory = prefix / HEDDLE_PRIVATE_LIBDIR / "tsan",
                     .include = prefix / HEDDLE_INCLUDEDIR,
                     .cmake = prefix / HEDDLE_CMAKEDIR,
                     .command = command};
  for (const fs::path& library : {found.runtime, found.stream_entries}) {
    if (fs::exists(library)) continue;
    throw UserError("the installation is incomplete: " + library.string() + " is missing; install Heddle again");
  }
  return found;
}

}  // namespace

const Installation& installation() {
  static const Installation found = find_installation();
  return found;
}

fs::path cache_directory() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const std::string own = variable("HEDDLE_CACHE"); !own.empty()) return own;
  if (const std::string base = variable("XDG_CACHE_HOME"); !base.empty()) return fs::path(base) / "heddle";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "heddle";
  return fs::temp_directory_path() / ("heddle-cache-" + std::to_string(::getuid()));
}

}  // namespace heddle
