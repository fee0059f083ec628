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
#include "cli/user_error.hpp"

extern char** environ;

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split_blanks(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Writes aside and renames, so that nobody ever sees half a file.
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

// What a command prints to its standard output; empty if it fails.
std::string output_of(std::vector<std::string> command) {
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

// libstdc++'s atomic waits look some 16 times before they sleep. Each look would be a scheduling point and multiply the
// interleavings without adding behaviour, so the program is compiled with a copy of the header in which it looks once.
// (Once, not never: the look is also the check between registering as a waiter and going to sleep.)
std::string patched(std::string header) {
  for (const std::string name : {"__atomic_spin_count_relax = ", "__atomic_spin_count = "}) {
    const std::size_t at = header.find("constexpr auto " + name);
    if (at == std::string::npos) return "";
    const std::size_t number = at + std::string("constexpr auto ").size() + name.size();
    const std::size_t end = header.find(';', number);
    header.replace(number, end - number, "1");
  }
  return header;
}

// The directory with the patched header for a compiler; empty if its library has nothing to patch.
std::string shadow_directory(const std::vector<std::string>& compiler) {
  std::string key;
  for (const std::string& word : compiler) key += word + "\n";
  const std::string path_of_compiler = output_of({"sh", "-c", "command -v \"$0\"", compiler.front()});
  std::error_code error;
  const fs::path resolved = fs::canonical(path_of_compiler.substr(0, path_of_compiler.find('\n')), error);
  key +=
      resolved.string() + std::to_string(error ? 0 : fs::last_write_time(resolved, error).time_since_epoch().count());
  const fs::path directory = cache_directory() / "shadow" / hash_text(key);
  const fs::path header = directory / "bits" / "atomic_wait.h";
  const fs::path nothing = directory / "nothing-to-patch";
  if (fs::exists(header)) return directory.string();
  if (fs::exists(nothing)) return "";
  fs::create_directories(header.parent_path(), error);
  if (error)
    throw UserError("cannot create " + header.parent_path().string() + ": " + error.message() +
                    " (HEDDLE_CACHE chooses another place)");
  std::vector<std::string> command = compiler;
  for (const char* word : {"-std=gnu++20", "-x", "c++", "-M", "-include", "bits/atomic_wait.h", "/dev/null"}) {
    command.emplace_back(word);
  }
  std::string text;
  for (const std::string& word : split_blanks(output_of(command))) {
    if (word.ends_with("/bits/atomic_wait.h")) text = patched(read_file(word));
  }
  write_file(text.empty() ? nothing : header, text);
  return text.empty() ? "" : directory.string();
}

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

std::vector<std::string> compile_options(const std::vector<std::string>& compiler, Language language) {
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
    if (const std::string shadow = shadow_directory(compiler); !shadow.empty()) append(options, {"-isystem", shadow});
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
    const std::vector<std::string> instrumentation = compile_options(command, language);
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
