// heddle: a model checker for multithreaded C and C++ programs. This file only finds the command.
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/user_error.hpp"

namespace {

constexpr const char* kUsage = R"(usage: heddle COMMAND ...

  heddle check [options] PROGRAM [arguments]   explore a program under every schedule
  heddle check [options] SOURCE... [-- arguments]
                                               compile it first
  heddle replay RESULT.json                    repeat a finding
  heddle report RESULT.json --html=FILE        show a result in another form
  heddle c++ ..., heddle cc ...                compile for heddle check, like c++ and cc
  heddle flags --compile|--link|--cmake        what that adds, for other build systems
  heddle launch PROGRAM ...                    in front of the tests of a CTest suite
  heddle version

`heddle check`, `replay`, `report` and `flags` list their options with --help.
)";

int run(const std::vector<std::string>& words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", kUsage);
    return heddle::kExitUserError;
  }
  const std::string& command = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (command == "check") return heddle::check(rest);
  if (command == "replay") return heddle::replay_result(rest);
  if (command == "report") return heddle::report(rest);
  if (command == "c++") return heddle::compile_cxx(rest);
  if (command == "cc") return heddle::compile_c(rest);
  if (command == "flags") return heddle::flags(rest);
  if (command == "launch") return heddle::launch(rest);
  if (command == "version" || command == "--version") {
    fmt::print("heddle {}\n", HEDDLE_VERSION);
    return heddle::kExitClean;
  }
  if (command == "help" || command == "--help" || command == "-h") {
    fmt::print("{}", kUsage);
    return heddle::kExitClean;
  }
  throw heddle::UserError(fmt::format("there is no command `{}`; `heddle help` lists them", command));
}

}  // namespace

int main(int argc, char** argv) {
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error like a full disk
  try {
    const int status = run({argv + 1, argv + argc});
    if (std::fflush(stdout) == 0) return status;
    fmt::print(stderr, "heddle: cannot write to standard output: {}\n", std::strerror(errno));
    return status == heddle::kExitClean ? heddle::kExitUserError : status;
  } catch (const heddle::UserError& error) {
    fmt::print(stderr, "heddle: {}\n", error.what());
    return heddle::kExitUserError;
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle: internal error: {}\n", error.what());
    return heddle::kExitInternal;
  }
}
