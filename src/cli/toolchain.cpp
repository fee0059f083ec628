#include "cli/toolchain.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/installation.hpp"
#include "cli/shadow_headers.hpp"
#include "cli/tool_output.hpp"
#include "cli/user_error.hpp"

extern char** environ;

namespace heddle {
namespace {

namespace fs = std::filesystem;

bool is_clang(const std::vector<std::string>& compiler) {
  return output_of({"sh", "-c", "\"$@\" --version", "sh", compiler.front()}).find("clang") != std::string::npos;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Everything the result of a compilation depends on, as far as it is cheap to know: the preprocessed text.
std::string build_key(const std::vector<std::vector<std::string>>& compilations, const std::vector<std::string>& link) {
  std::string key = join(link) + "\n" + HEDDLE_VERSION;
  for (std::vector<std::string> command : compilations) {
    key += join(command) + "\n";
    command.emplace_back("-E");
    const std::string text = output_of(command);
    key += text;
    if (text.empty()) key += std::to_string(::getpid());  // does not compile: never found in the cache
  }
  return hash_text(key);
}

}  // namespace

std::vector<std::string> compiler_command(Language language) {
  const char* chosen = std::getenv(language == Language::Cxx ? "HEDDLE_CXX" : "HEDDLE_CC");
  std::vector<std::string> command = split_blanks(chosen != nullptr ? chosen : "");
  if (command.empty()) command = {language == Language::Cxx ? "c++" : "cc"};
  return command;
}

std::vector<std::string> compile_options(const std::vector<std::string>& compiler, Language language,
                                         const std::vector<std::string>& user_options) {
  std::vector<std::string> options{"-fsanitize=thread", "-g", "-ftrivial-auto-var-init=zero",
                                   "-I" + installation().include.string()};
  // Copies and comparisons that g++ would expand in line without instrumenting them stay calls, which are watched.
  for (const char* function :
       {"memcpy", "memmove", "memset", "memcmp", "strlen", "strcpy", "strncpy", "strcmp", "strcat"}) {
    options.push_back(std::string("-fno-builtin-") + function);
  }
  // clang 14 asks for a promise before it zeroes variables; later ones do not know the option any more.
  if (is_clang(compiler)) {
    append(options, {"-Wno-unused-command-line-argument"});
    if (output_of({"sh", "-c", "\"$@\" -dumpversion", "sh", compiler.front()}).substr(0, 2) < "16") {
      append(options, {"-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang"});
    }
  } else {
    append(options, {"-Wno-tsan"});  // fences are handled here
  }
  if (language == Language::Cxx) {
    std::vector<std::string> with_library = compiler;
    for (const std::string& option : user_options) {
      if (option.starts_with("-stdlib=")) with_library.push_back(option);
    }
    if (const std::string shadow = shadow_directory(with_library); !shadow.empty()) {
      append(options, {"-isystem", shadow});
    }
    // libc++ then has all of std::barrier in its header, where it is instrumented, and nothing in its library.
    append(options, {"-D_LIBCPP_HAS_NO_TREE_BARRIER"});
  }
  return options;
}

std::vector<std::string> link_options(const std::vector<std::string>& compiler) {
  const Installation& here = installation();
  // Both would link ThreadSanitizer's own runtime: clang can be told not to, g++ finds ours under that name first.
  const std::string instead = is_clang(compiler) ? "-fno-sanitize-link-runtime" : "-L" + here.tsan_directory.string();
  return {"-fsanitize=thread", instead, "-pthread", here.runtime.string(),
          "-Wl,-rpath," + here.runtime.parent_path().string()};
}

int run_command(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (error != 0) {
    errno = error;
    throw cannot("run", command.front());
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Language language_of(const std::string& path) { return path.ends_with(".c") ? Language::C : Language::Cxx; }

bool is_source_file(const std::string& path) {
  for (const char* ending : {".c", ".cc", ".cpp", ".cxx", ".c++", ".C"}) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

fs::path build_program(const BuildRequest& request) {
  const bool any_cxx = std::any_of(request.sources.begin(), request.sources.end(),
                                   [](const std::string& source) { return language_of(source) == Language::Cxx; });
  std::vector<std::vector<std::string>> compilations;
  for (const std::string& source : request.sources) {
    if (::access(source.c_str(), R_OK) != 0) throw cannot("read", source);
    const Language language = language_of(source);
    std::vector<std::string> command = compiler_command(language);
    const std::vector<std::string> instrumentation = compile_options(command, language, request.options);
    append(command, {language == Language::Cxx ? "-std=gnu++20" : "-std=gnu17", "-O1", "-g", "-pthread", "-UNDEBUG"});
    append(command, instrumentation);
    append(command, request.options);
    append(command, {"-c", source});
    compilations.push_back(std::move(command));
  }
  std::vector<std::string> link = compiler_command(any_cxx ? Language::Cxx : Language::C);
  const fs::path directory = cache_directory() / "programs" / build_key(compilations, link);
  const fs::path program = directory / fs::path(request.sources.front()).stem();
  if (fs::exists(program)) return program;
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    throw UserError("cannot create " + directory.string() + ": " + error.message() +
                    " (HEDDLE_CACHE chooses another place)");
  const fs::path aside = program.string() + "." + std::to_string(::getpid());
  std::vector<std::string> objects;
  for (std::size_t i = 0; i < compilations.size(); ++i) {
    objects.push_back(aside.string() + "." + std::to_string(i) + ".o");
    append(compilations[i], {"-o", objects.back()});
    if (run_command(compilations[i]) != 0) throw UserError(request.sources[i] + " does not compile");
  }
  const std::vector<std::string> linking = link_options(link);
  append(link, objects);
  append(link, request.options);
  append(link, linking);
  append(link, {"-o", aside.string()});
  const int status = run_command(link);
  for (const std::string& object : objects) fs::remove(object, error);
  if (status != 0) throw UserError("the program does not link");
  fs::rename(aside, program);
  return program;
}

}  // namespace heddle
