#include "cli/bitcode.hpp"

#include <unistd.h>

#include <cstdlib>

#include "cli/installation.hpp"
#include "cli/tool_output.hpp"
#include "cli/toolchain.hpp"
#include "cli/user_error.hpp"

namespace heddle {

namespace fs = std::filesystem;

Workspace::Workspace() {
  std::string pattern = (fs::temp_directory_path() / "heddle-bitcode-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw cannot("create a folder in", fs::temp_directory_path());
  path_ = pattern;
}

Workspace::~Workspace() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::vector<std::string> compile_to_bitcode(const std::vector<std::string>& sources, const std::string& options,
                                            const std::string& asked_by, const Workspace& workspace) {
  std::vector<std::string> files;
  for (const std::string& source : sources) {
    if (::access(source.c_str(), R_OK) != 0) throw cannot("read", source);
    const bool cxx = language_of(source) == Language::Cxx;
    const std::string file = workspace.file(std::to_string(files.size()) + ".bc");
    std::vector<std::string> command{cxx ? "clang++-19" : "clang-19",
                                     cxx ? "-std=gnu++20" : "-std=gnu17",
                                     "-Xclang",
                                     "-disable-O0-optnone",
                                     "-g",
                                     "-pthread",
                                     "-UNDEBUG",
                                     "-ftrivial-auto-var-init=zero",
                                     "-I" + installation().include.string(),
                                     "-emit-llvm"};
    for (const std::string& word : split_blanks(options)) command.push_back(word);
    command.insert(command.end(), {"-c", source, "-o", file});
    int status = 0;
    try {
      status = run_command(command);
    } catch (const UserError&) {
      throw UserError(asked_by + " compiles with " + command.front() + ", which is not installed (Debian: clang-19)");
    }
    if (status != 0) throw UserError(source + " does not compile with " + command.front());
    files.push_back(file);
  }
  return files;
}

}  // namespace heddle
