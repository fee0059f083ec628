// heddle::check, seen from inside the test program. Three processes have a part in it:
//
//   the test          runs by itself, and comes to heddle::check. It starts `heddle check --at=NAME` on its own
//                     executable, and hands the result to its caller.
//   the supervisor    as for any other check.
//   the worker        the test program again, with the same arguments (a test framework narrows them to the one test).
//                     Its main runs as it is until it comes to the check named, which does not return: the function
//                     takes main's place, and what main has built up so far is the state that executions start from.
//
// On its way the worker passes over earlier checks. They return what they found in the test, in short, so that the
// program takes the same way.
#include <dlfcn.h>
#include <fcntl.h>
#include <heddle/detail/unit_check.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "program/native/control.hpp"
#include "program/native/real.hpp"
#include "program/native/runtime.hpp"
#include "program/native/start.hpp"
#include "worker/configuration.hpp"

extern char** environ;

namespace heddle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What came of a check: the texts that a heddle_unit_result points to.
struct Outcome {
  std::string verdict = "error";
  std::string reason;
  std::string coverage;
  std::string report;
  std::string result_file;
  unsigned long executions = 0;
  unsigned long events = 0;
  double seconds = 0;
  struct Finding {
    std::string kind, message, file, function, schedule;
    int line = 0;
  };
  std::vector<Finding> findings;
};

// Checks this test has come to, in order; in short form, "verdict:executions:kind+kind".
struct Checks {
  std::map<std::string, unsigned> met;  // how often each name
  std::vector<std::string> results;
};
Checks checks;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::string in_short(const Outcome& outcome) {
  std::string text = outcome.verdict + ":" + std::to_string(outcome.executions) + ":";
  for (const Outcome::Finding& finding : outcome.findings) {
    text += (text.back() == ':' ? "" : "+") + finding.kind;
  }
  return text;
}

Outcome from_short(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  Outcome outcome;
  if (!parts.empty()) outcome.verdict = parts[0];
  if (parts.size() > 1) outcome.executions = std::strtoul(parts[1].c_str(), nullptr, 10);
  if (parts.size() > 2) {
    for (const std::string& kind : split(parts[2], '+'))
      outcome.findings.push_back({.kind = kind, .message = {}, .file = {}, .function = {}, .schedule = {}});
  }
  return outcome;
}

void hand_over(const Outcome& outcome, void (*answer)(void*, const heddle_unit_result*), void* to) {
  std::vector<heddle_unit_finding> findings;
  for (const Outcome::Finding& f : outcome.findings) {
    findings.push_back(
        {f.kind.c_str(), f.message.c_str(), f.file.c_str(), f.function.c_str(), f.schedule.c_str(), f.line});
  }
  const heddle_unit_result result{outcome.verdict.c_str(),
                                  outcome.reason.c_str(),
                                  outcome.coverage.c_str(),
                                  outcome.report.c_str(),
                                  outcome.result_file.c_str(),
                                  outcome.executions,
                                  outcome.events,
                                  outcome.seconds,
                                  findings.data(),
                                  findings.size()};
  answer(to, &result);
}

std::string place_of(const heddle_unit_request& request) {
  return request.name + ("#" + std::to_string(++checks.met[request.name]));
}

// --- in the worker

Outcome pass_over(const std::string& configuration_text, const std::string& place, const heddle_unit_request& request) {
  const WorkerConfiguration configuration = configuration_from_json(configuration_text);
  if (place == configuration.at || (request.name == configuration.at && checks.met[request.name] == 1)) {
    native::explore_function(request.function, request.context);
  }
  const std::vector<std::string> before = split(configuration.results_before, ',');
  const std::size_t number = checks.results.size();
  checks.results.emplace_back();
  // Chosen by hand, the checks before it are unknown: as if they had found nothing.
  return number < before.size() ? from_short(before[number]) : from_short("verified:0:");
}

// --- in the test

// The heddle command of the installation that this library belongs to.
std::string heddle_command() {
  Dl_info info{};
  ::dladdr(reinterpret_cast<const void*>(&heddle_command), &info);
  std::error_code error;
  fs::path folder = fs::canonical(info.dli_fname, error).parent_path();
  for (const fs::path& part : fs::path(HEDDLE_PRIVATE_LIBDIR)) {
    if (!part.empty()) folder = folder.parent_path();
  }
  return folder / HEDDLE_BINDIR / "heddle";
}

fs::path results_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const std::string own = variable("HEDDLE_CACHE"); !own.empty()) return fs::path(own) / "results";
  if (const std::string base = variable("XDG_CACHE_HOME"); !base.empty()) return fs::path(base) / "heddle" / "results";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "heddle" / "results";
  return fs::temp_directory_path() / ("heddle-cache-" + std::to_string(::getuid())) / "results";
}

std::string file_name_for(const std::string& text) {
  std::string name = text;
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_'; };
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !plain(static_cast<unsigned char>(c)); }, '_');
  return name.substr(name.size() > 150 ? name.size() - 150 : 0);
}

// The words this process was started with, but for its name.
std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words = split({std::istreambuf_iterator<char>(file), {}}, '\0');
  if (!words.empty()) words.erase(words.begin());
  return words;
}

// What a test framework reads from the environment narrows or repeats its tests; the worker runs one, once.
std::vector<std::string> environment_for_worker() {
  std::vector<std::string> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "GTEST_", 6) != 0) kept.emplace_back(*variable);
  }
  return kept;
}

std::vector<char*> raw(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string contents(int file) {
  std::string text;
  std::array<char, 4096> buffer;
  ::lseek(file, 0, SEEK_SET);
  for (ssize_t got; (got = ::read(file, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

struct Ran {
  int status = -1;  // exit status; -1: it could not be started, or died
  std::string out;
  std::string err;
};

Ran run(std::vector<std::string> command) {
  Ran ran;
  const int out = ::memfd_create("heddle-out", MFD_CLOEXEC);
  const int err = ::memfd_create("heddle-err", MFD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  std::vector<std::string> environment = environment_for_worker();
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, command.front().c_str(), &actions, nullptr, raw(command).data(), raw(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    ran.err = "cannot run " + command.front() + ": " + std::strerror(error);
  } else {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
    ran.out = contents(out);
    ran.err = contents(err);
  }
  ::close(out);
  ::close(err);
  return ran;
}

void read_result(const json& result, Outcome& outcome) {
  const auto text = [](const json& value) { return value.is_string() ? value.get<std::string>() : std::string(); };
  outcome.verdict = text(result.at("verdict"));
  outcome.reason = text(result.at("reason"));
  outcome.coverage = text(result.at("coverage").at("statement"));
  outcome.executions = result.at("statistics").at("executions");
  outcome.events = result.at("statistics").at("events");
  outcome.seconds = result.at("statistics").at("seconds");
  for (const json& raw_finding : result.at("findings")) {
    Outcome::Finding finding{.kind = raw_finding.at("kind"),
                             .message = raw_finding.at("message"),
                             .file = {},
                             .function = {},
                             .schedule = raw_finding.at("schedule")};
    if (const json& location = raw_finding.at("location"); !location.is_null()) {
      finding.file = location.at("file");
      finding.line = location.at("line");
      finding.function = location.at("function");
    }
    outcome.findings.push_back(std::move(finding));
  }
}

std::string without_end_of_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

Outcome explore(const std::string& place, const heddle_unit_request& request) {
  std::error_code error;
  const std::string program = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = results_folder();
  fs::create_directories(folder, error);
  Outcome outcome;
  const fs::path kept = folder / (file_name_for(fs::path(program).filename().string() + "-" + place) + ".json");
  const fs::path file = kept.string() + "." + std::to_string(::getpid());
  std::vector<std::string> command{heddle_command(), "check"};
  for (const char* const* option = request.options; *option != nullptr; ++option) command.emplace_back(*option);
  std::string before;
  for (const std::string& result : checks.results) before += (before.empty() ? "" : ",") + result;
  command.insert(command.end(), {"--at=" + place, "--json=" + file.string()});
  if (!before.empty()) command.push_back("--results-before=" + before);
  command.push_back(program);
  std::vector<std::string> arguments;
  for (const char* const* word = request.arguments; word != nullptr && *word != nullptr; ++word) {
    arguments.emplace_back(*word);
  }
  if (request.arguments == nullptr) arguments = own_arguments();
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Ran ran = run(command);
  outcome.report = ran.out;
  try {
    read_result(json::parse(std::ifstream(file)), outcome);
  } catch (const json::exception&) {
    outcome.verdict = "error";
    outcome.reason =
        ran.err.empty() ? "heddle ended with status " + std::to_string(ran.status) : without_end_of_line(ran.err);
  }
  if (outcome.findings.empty()) {
    fs::remove(file, error);
  } else {
    fs::rename(file, kept, error);
    outcome.result_file = kept;
  }
  checks.results.push_back(in_short(outcome));
  return outcome;
}

// A framework's message, which may have several indented lines.
std::string on_one_line(const std::string& message) {
  std::string text;
  for (const std::string& line : split(message, '\n')) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    if (!text.empty()) text += text.back() == ':' ? " " : "; ";
    text += line.substr(begin);
  }
  return text;
}

}  // namespace
}  // namespace heddle

using namespace heddle;  // NOLINT: what follows is nothing but definitions in C's own namespace

HEDDLE_INTERCEPT void heddle_unit_check(const heddle_unit_request* request,
                                        void (*answer)(void* to, const heddle_unit_result* result), void* to) {
  if (native::rt.inside) {
    native::refuse(native::Refusal::Unsupported,
                   "heddle::check is called in a program that is being explored as a whole: run the program by itself, "
                   "or name one of its checks with --at");
  }
  // Several threads of a test may come here at a time, and the runtime's own heap is for one.
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_mutex_lock(&one_at_a_time);
  {
    const std::string place = place_of(*request);
    const char* configuration = native::configuration_on_the_way();
    hand_over(configuration != nullptr ? pass_over(configuration, place, *request) : explore(place, *request), answer,
              to);
  }
  ::pthread_mutex_unlock(&one_at_a_time);
}

HEDDLE_INTERCEPT void heddle_unit_begins() {
  if (!native::rt.inside) checks = {};
}

HEDDLE_INTERCEPT void heddle_unit_failed(const char* message) {
  if (!native::rt.inside) return;
  native::OutsideProgram outside;
  native::fail(FindingKind::Assertion, on_one_line(message), HEDDLE_SITE);
}
