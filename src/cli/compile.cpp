// `heddle cc` and `heddle c++`: compilers like any other, whose output is instrumented and linked with the runtime.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/toolchain.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

struct Request {
  bool links = true;  // produces an executable or a shared library
  bool compiles = false;
  bool has_input = false;
};

// Options whose value is the next word, which therefore is not an input file.
bool takes_value(const std::string& option) {
  static const std::vector<std::string> options{
      "-o", "-I",          "-D",       "-U",      "-include", "-isystem",       "-idirafter",
      "-x", "-MF",         "-MT",      "-MQ",     "-L",       "-Xlinker",       "-Xclang",
      "-z", "-arch",       "-target",  "-iquote", "-imacros", "-Xpreprocessor", "-T",
      "-u", "-Xassembler", "-wrapper", "--param", "-mllvm",   "-isysroot"};
  return std::find(options.begin(), options.end(), option) != options.end();
}

void check_sanitizer(const std::string& option, std::vector<std::string>& kept) {
  const std::string value = option.substr(option.find('=') + 1);
  for (const char* conflicting : {"address", "memory", "leak", "hwaddress", "kernel-address", "dataflow"}) {
    if (value.find(conflicting) != std::string::npos) {
      throw UserError(option +
                      " cannot be combined with Heddle: both replace the allocator and watch memory. Leave it out; " +
                      "heddle check finds use after free, double free and heap overruns itself");
    }
  }
  if (value != "thread") kept.push_back(option);  // which we ask for anyway
}

Request examine(const std::vector<std::string>& arguments, std::vector<std::string>& kept) {
  Request request;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-static") {
      throw UserError(
          "-static cannot be combined with Heddle, whose runtime stands in front of the shared C library; leave it "
          "out");
    }
    if (word == "-static-libtsan") continue;
    if (word.starts_with("-fsanitize=")) {
      check_sanitizer(word, kept);
      continue;
    }
    kept.push_back(word);
    if (word == "-c" || word == "-S" || word == "-E" || word == "-M" || word == "-MM" || word == "-fsyntax-only") {
      request.links = false;
    }
    if (takes_value(word) && i + 1 < arguments.size()) {
      kept.push_back(arguments[++i]);
    } else if (!word.starts_with("-") || word == "-") {
      request.has_input = true;
      request.compiles = request.compiles || is_source_file(word) || word == "-";
    }
  }
  return request;
}

int compile(Language language, const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  const Request request = examine(arguments, kept);
  std::vector<std::string> command = compiler_command(language);
  if (request.has_input) {
    const std::vector<std::string> options = compile_options(command, language, kept);
    command.insert(command.end(), options.begin(), options.end());
  }
  command.insert(command.end(), kept.begin(), kept.end());
  if (request.has_input && request.links) {
    const std::vector<std::string> options = link_options(compiler_command(language));
    command.insert(command.end(), options.begin(), options.end());
  }
  std::vector<char*> raw;
  for (std::string& word : command) raw.push_back(word.data());
  raw.push_back(nullptr);
  ::execvp(raw[0], raw.data());
  throw cannot("run the compiler", command.front());
}

}  // namespace

int compile_c(const std::vector<std::string>& arguments) { return compile(Language::C, arguments); }
int compile_cxx(const std::vector<std::string>& arguments) { return compile(Language::Cxx, arguments); }

}  // namespace heddle
