#include "cli/debugger.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/debugger_script.hpp"
#include "cli/user_error.hpp"
#include "cli/worker_environment.hpp"

namespace heddle {
namespace {

void replace(std::string& text, std::string_view name, const std::string& by) {
  text.replace(text.find(name), name.size(), by);
}

// gdb reads its commands from a file that is gone as soon as gdb has it open.
std::string script_file(const std::string& script) {
  const int descriptor = ::memfd_create("heddle.py", 0);
  if (descriptor < 0 || ::write(descriptor, script.data(), script.size()) != static_cast<ssize_t>(script.size())) {
    throw cannot("write", "the commands for gdb");
  }
  return fmt::format("/proc/self/fd/{}", descriptor);
}

}  // namespace

void debug_replay(const WorkerRun& run, std::size_t steps, std::size_t until) {
  WorkerConfiguration configuration = run.configuration;
  configuration.debug = configuration.show_output = true;
  configuration.channel = ::open("/dev/null", O_WRONLY);  // there is nobody to tell
  configuration.board = create_board();
  nlohmann::json environment = nlohmann::json::object();
  for (const auto& [name, value] : worker_environment(configuration)) environment[name] = value;
  std::string script(kDebuggerScript);
  replace(script, "@STEPS@", std::to_string(steps));
  replace(script, "@ENVIRONMENT@", environment.dump());
  replace(script, "@UNTIL@", std::to_string(until > 0 ? until : steps + 1));
  const std::string file = script_file(script);
  const std::string source = fmt::format("python exec(open('{}').read())", file);
  std::vector<std::string> words{"gdb", "-q", "-ex", source, "--args", run.program};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp("gdb", arguments.data());
  throw UserError(errno == ENOENT ? "--gdb needs gdb; it is not installed" : cannot("run", "gdb").what());
}

}  // namespace heddle
