// The C++ face of <heddle/heddle.h>, and `heddle::check`, which explores one function inside a unit test.
#pragma once

#include <heddle/detail/unit_check.h>
#include <heddle/heddle.h>

#include <initializer_list>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle {

// Every value from 0 to n-1 is explored.
inline int choose(int n) { return heddle_choose(n); }

// Only executions in which the condition holds count.
inline void assume(bool condition) { heddle_assume_that(condition ? 1 : 0); }

// One step as long as it lives.
class AtomicSection {
 public:
  AtomicSection() { heddle_atomic_begin(); }
  ~AtomicSection() { heddle_atomic_end(); }
  AtomicSection(const AtomicSection&) = delete;
  AtomicSection& operator=(const AtomicSection&) = delete;
};

// How to explore: options of `heddle check`, as on the command line.
struct Options {
  Options() = default;
  Options(std::initializer_list<std::string> words) : options(words) {}

  std::vector<std::string> options;
  std::string name;  // of the check, for --at; default: the place of the call
};

struct CheckFinding {
  std::string kind;  // "deadlock", "data-race", ...
  std::string message;
  std::string file;
  int line = 0;
  std::string function;
  std::string schedule;
};

struct CheckResult {
  std::string verdict;   // "verified", "bug", "incomplete", "unsupported"; "error" if nothing could be explored
  std::string reason;    // why not verified, if not because of a bug
  std::string coverage;  // what was explored, in one sentence
  std::string report;    // what `heddle check` prints
  std::string replay;    // the command that repeats the finding
  unsigned long executions = 0;
  unsigned long events = 0;
  double seconds = 0;
  std::vector<CheckFinding> findings;

  // No bug, and the coverage asked for was reached.
  [[nodiscard]] bool verified() const { return verdict == "verified"; }
  explicit operator bool() const { return verified(); }

  // For a failing test's message.
  [[nodiscard]] std::string text() const {
    std::string all = report.empty() ? verdict + ": " + reason + "\n" : report;
    if (!replay.empty()) all += "  replay: " + replay + "\n";
    return all;
  }
};

namespace detail {

// With which arguments a fresh process of this program comes to the test that is running. Null: with its own.
inline std::vector<std::string> (*way_to_running_test)() = nullptr;

inline std::vector<const char*> raw(const std::vector<std::string>& words) {
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  return pointers;
}

inline std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

inline void take_over(void* to, const heddle_unit_result* from) {
  CheckResult& result = *static_cast<CheckResult*>(to);
  result.verdict = from->verdict;
  result.reason = from->reason;
  result.coverage = from->coverage;
  result.report = from->report;
  if (*from->result_file != '\0') result.replay = "heddle replay " + quoted(from->result_file);
  result.executions = from->executions;
  result.events = from->events;
  result.seconds = from->seconds;
  for (unsigned long i = 0; i < from->finding_count; ++i) {
    const heddle_unit_finding& finding = from->findings[i];
    result.findings.push_back(
        {finding.kind, finding.message, finding.file, finding.line, finding.function, finding.schedule});
  }
}

// Of its own, so that the callable's lines stand in call stacks.
template <typename Callable>
[[gnu::noinline]] void call(void* callable) {
  (*static_cast<Callable*>(callable))();
}

inline CheckResult check(const Options& options, const std::string& name, void (*function)(void*), void* context) {
  CheckResult result;
  if (heddle_unit_check == nullptr) {
    result.verdict = "error";
    result.reason =
        "this program was not built for Heddle: build it with `heddle c++`, or in CMake with heddle_add_unit_test or "
        "heddle_instrument";
    return result;
  }
  const std::vector<const char*> words = raw(options.options);
  const std::vector<std::string> way =
      way_to_running_test != nullptr ? way_to_running_test() : std::vector<std::string>();
  const std::vector<const char*> arguments = raw(way);
  const heddle_unit_request request{name.c_str(), words.data(),
                                    way_to_running_test != nullptr ? arguments.data() : nullptr, function, context};
  heddle_unit_check(&request, take_over, &result);
  return result;
}

}  // namespace detail

// Explores `function` under every schedule that matters, in a fresh process of this program: that runs as this one does
// up to this call, so what comes before it must do the same each time, and must not start threads. `function` may use
// what its surroundings have built up by reference. This process never calls it.
template <typename Function>
CheckResult check(const Options& options, Function&& function,
                  const std::source_location& place = std::source_location::current()) {
  using Callable = std::remove_reference_t<Function>;
  std::string file = place.file_name();
  file.erase(0, file.rfind('/') + 1);
  const std::string name = options.name.empty() ? file + ":" + std::to_string(place.line()) : options.name;
  return detail::check(options, name, detail::call<Callable>, const_cast<void*>(static_cast<const void*>(&function)));
}

template <typename Function>
requires std::is_invocable_v<Function> CheckResult
check(Function&& function, const std::source_location& place = std::source_location::current()) {
  return check(Options(), std::forward<Function>(function), place);
}

}  // namespace heddle
