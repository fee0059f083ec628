// Compilers: which one is behind `heddle cc` and `heddle c++`, and what is added to their command lines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

enum class Language { C, Cxx };

// The compiler to use: $HEDDLE_CC or $HEDDLE_CXX (which may have arguments), else cc or c++.
[[nodiscard]] std::vector<std::string> compiler_command(Language language);

// Options for compiling with instrumentation, and for linking with the runtime in ThreadSanitizer's place. What the
// user asks for is looked at for the choice of the C++ library.
[[nodiscard]] std::vector<std::string> compile_options(const std::vector<std::string>& compiler, Language language,
                                                       const std::vector<std::string>& user_options = {});
[[nodiscard]] std::vector<std::string> link_options(const std::vector<std::string>& compiler);

// Runs a command and waits; its exit status (128 + signal if it was killed).
int run_command(const std::vector<std::string>& command);

[[nodiscard]] bool is_source_file(const std::string& path);
[[nodiscard]] Language language_of(const std::string& path);

// Compiles sources into the cache, unless it has been done before, and returns the executable.
struct BuildRequest {
  std::vector<std::string> sources;
  std::vector<std::string> options;  // of the user; they come last and win
};
[[nodiscard]] std::filesystem::path build_program(const BuildRequest& request);

}  // namespace heddle
