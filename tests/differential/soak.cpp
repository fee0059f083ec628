// The long differential run: random programs, every reduction against the oracle.
//
//     differential_soak [--programs=N] [--seed=S] [--family=NAME] [--reduction=NAME] [--operations=N] [--corpus=FOLDER]
//                       [--stop-at-first] [--bounded] [--stateful]
//
// With --bounded, searches with a bound on preemptions instead (bounded.hpp).
// With --stateful, searches over states, on programs with and without cycles.
// The corpus comes first, each program with both orders of threads. Ends with a summary line; a program that shows a
// fault is shrunk and printed in the form of the corpus. --stop-at-first ends the run with the first fault, not shrunk.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/contract.hpp"
#include "differential/await_walk.hpp"
#include "differential/bounded.hpp"
#include "differential/compare.hpp"
#include "differential/generator.hpp"
#include "differential/loops.hpp"
#include "differential/shrinker.hpp"
#include "differential/state_compare.hpp"
#include "differential/toy_knowledge.hpp"
#include "differential/toy_text.hpp"

namespace heddle::differential {
namespace {

struct Arguments {
  std::uint64_t programs = 20000;
  std::uint64_t seed = 1;
  std::optional<Family> family;
  std::optional<ReductionKind> reduction;
  GeneratorOptions generator;
  std::string corpus;
  bool stop_at_first = false;
  bool bounded = false;
  bool stateful = false;
};

// For the message when a search breaks one of its own contracts.
std::string current;

void report_broken_contract(const char* file, int line, const char* sentence) {
  fmt::print("{}:{}: {}\n{}\n", file, line, sentence, current);
  std::fflush(stdout);
  std::_Exit(70);
}

constexpr std::size_t kMostTraces = 400;

struct Totals {
  std::uint64_t programs = 0;
  std::uint64_t skipped = 0;
  std::uint64_t traces = 0;
  std::uint64_t faults = 0;
  std::array<std::uint64_t, kReductionNames.size()> executions{};
  std::array<std::uint64_t, kReductionNames.size()> blocked{};
};

void show(const toy::ToyCode& code, toy::ToyOptions options, const ReductionChoice& choice, const std::string& what) {
  const auto fails = [&](const toy::ToyCode& smaller) {
    const OracleResult oracle = all_traces(smaller, options);
    return !oracle.limit_hit && complaint(search(smaller, options, choice), oracle, choice).has_value();
  };
  // What an analysis says of a program does not hold for a smaller one.
  const toy::ToyCode shown = choice.known != nullptr ? code : shrink(code, fails);
  fmt::print("--reduction={}: {}\n{}\n", text(choice.kind), what, to_text({"", shown, options, {}}));
}

void compare_all(const toy::ToyCode& code, toy::ToyOptions options, ThreadOrder order, const Arguments& arguments,
                 Totals& totals) {
  const OracleResult oracle = all_traces(code, options);
  if (oracle.limit_hit || oracle.traces.size() > kMostTraces) {
    ++totals.skipped;
    return;
  }
  ++totals.programs;
  totals.traces += oracle.traces.size();
  if (oracle.contradiction) {
    ++totals.faults;
    fmt::print("the dependency relation: {}\n{}\n", *oracle.contradiction, to_text({"", code, options, {}}));
    return;
  }
  for (std::size_t kind = 1; kind < kReductionNames.size(); ++kind) {
    ReductionChoice choice;
    choice.kind = static_cast<ReductionKind>(kind);
    if (arguments.reduction && choice.kind != *arguments.reduction) continue;
    choice.order = order;
    StaticKnowledge known;
    if (choice.kind == ReductionKind::Static) {
      // Every degree of ignorance, refined dynamically or not; without sleep sets only where that is not too much.
      known = toy_knowledge(code, options, static_cast<Exactness>(totals.programs % 4));
      choice.known = &known;
      choice.dynamic = totals.programs / 4 % 2 == 1;
      const std::uint64_t interleavings = oracle.interleavings.executions + oracle.interleavings.abandoned;
      choice.persistent.sleep_sets = totals.programs / 8 % 3 != 0 || interleavings > 5000;
    }
    current = fmt::format("--reduction={}\n{}", text(choice.kind), to_text({"", code, options, {}}));
    const Searched searched = search(code, options, choice);
    totals.executions[kind] += searched.result.statistics.executions + searched.result.statistics.abandoned;
    totals.blocked[kind] += searched.result.statistics.blocked;
    if (const auto what = complaint(searched, oracle, choice)) {
      ++totals.faults;
      if (arguments.stop_at_first) {
        fmt::print("{}\n{}", *what, current);
        return;
      }
      if (totals.faults <= 5) show(code, options, choice, *what);
    }
  }
}

// Whether recognising await loops loses anything.
void compare_awaits(const toy::ToyCode& code, ThreadOrder order, const Arguments& arguments, Totals& totals) {
  const auto walked = walk(code);
  if (!walked) return;
  for (std::size_t kind = 0; kind < kReductionNames.size(); ++kind) {
    const ReductionChoice choice{static_cast<ReductionKind>(kind), order, {}};
    if (arguments.reduction && choice.kind != *arguments.reduction) continue;
    if (const auto what = await_complaint(*walked, code, choice)) {
      ++totals.faults;
      fmt::print("--reduction={}: await loops: {}\n{}\n", text(choice.kind), *what, to_text({"", code, {}, {}}));
      return;
    }
  }
}

void compare_corpus(const Arguments& arguments, Totals& totals) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(arguments.corpus)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file);
    const ToyText program = toy_from_text(std::string(std::istreambuf_iterator<char>(stream), {}));
    for (const ThreadOrder order : {ThreadOrder::Lowest, ThreadOrder::Highest}) {
      if (totals.faults > 0 && arguments.stop_at_first) return;
      compare_all(program.code, program.options, order, arguments, totals);
      compare_awaits(program.code, order, arguments, totals);
    }
  }
}

void compare_random(const Arguments& arguments, Totals& totals) {
  const std::uint64_t enough = totals.programs + arguments.programs;
  for (std::uint64_t seed = arguments.seed; totals.programs < enough; ++seed) {
    for (const Family family : kFamilies) {
      if (totals.faults > 0 && arguments.stop_at_first) return;
      if (arguments.family && family != *arguments.family) continue;
      const toy::ToyOptions options{.timeouts = static_cast<unsigned>(seed % 3),
                                    .spurious_wakeups = static_cast<unsigned>(seed % 7 == 0)};
      const ThreadOrder order = totals.programs % 2 == 0 ? ThreadOrder::Lowest : ThreadOrder::Highest;
      const toy::ToyCode code = generate(family, seed, arguments.generator);
      compare_all(code, options, order, arguments, totals);
      if (family == Family::Spin) compare_awaits(code, order, arguments, totals);
    }
  }
}

constexpr std::size_t kMostStates = 3000;
constexpr std::array kStateReductions{StateReduction::None, StateReduction::Sleep, StateReduction::Cartesian};

struct StateTotals {
  std::uint64_t programs = 0;
  std::uint64_t skipped = 0;
  std::uint64_t livelocks = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t faults = 0;
  std::array<std::uint64_t, kStateReductions.size()> states{};
  std::array<std::uint64_t, kStateReductions.size()> transitions{};
};

void compare_states(const toy::ToyCode& code, toy::ToyOptions options, std::uint64_t seed, StateTotals& totals) {
  const StateOracleResult oracle = all_states(code, options, kMostStates);
  if (oracle.limit_hit) {
    ++totals.skipped;
    return;
  }
  ++totals.programs;
  totals.livelocks += oracle.livelock ? 1U : 0U;
  const auto is_deadlock = [](const SeenFinding& finding) { return finding.kind == FindingKind::Deadlock; };
  totals.deadlocks += std::any_of(oracle.findings.begin(), oracle.findings.end(), is_deadlock) ? 1U : 0U;
  for (std::size_t i = 0; i < kStateReductions.size(); ++i) {
    StateSearchOptions search;
    search.reduction = kStateReductions[i];
    search.order = seed % 2 == 0 ? ThreadOrder::Lowest : ThreadOrder::Highest;
    search.store = {seed % 5 == 0, std::uint64_t{1} << 26U};
    current = fmt::format("--stateful --reduction={}\n{}", text(search.reduction), to_text({"", code, options, {}}));
    const StatesSearched searched = search_states(code, options, search);
    totals.states[i] += searched.result.statistics.states;
    totals.transitions[i] += searched.result.statistics.transitions;
    const auto what = complaint(searched, oracle, search.reduction);
    if (!what) continue;
    if (++totals.faults <= 5) fmt::print("{}\n{}", *what, current);
    return;
  }
}

int compare_all_states(const Arguments& arguments) {
  StateTotals totals;
  for (std::uint64_t seed = arguments.seed; totals.programs < arguments.programs; ++seed) {
    for (const Family family : kFamilies) {
      if (arguments.family && family != *arguments.family) continue;
      const toy::ToyOptions options{.timeouts = static_cast<unsigned>(seed % 3),
                                    .spurious_wakeups = static_cast<unsigned>(seed % 7 == 0)};
      compare_states(generate_with_loops(family, seed, arguments.generator), options, seed, totals);
      compare_states(generate(family, seed, arguments.generator), options, seed, totals);
      if (totals.faults > 0 && arguments.stop_at_first) return 1;
    }
  }
  fmt::print(
      "{} programs (seeds from {}, {} more skipped as too large), {} with a livelock, {} with a deadlock, {} faults",
      totals.programs, arguments.seed, totals.skipped, totals.livelocks, totals.deadlocks, totals.faults);
  for (std::size_t i = 0; i < kStateReductions.size(); ++i) {
    fmt::print("; {} {}/{}", text(kStateReductions[i]), totals.states[i], totals.transitions[i]);
  }
  fmt::print("\n");
  return totals.faults == 0 ? 0 : 1;
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto value = [&](std::string_view name) -> std::optional<std::string_view> {
      if (!word.starts_with(name)) return std::nullopt;
      return word.substr(name.size());
    };
    bool understood = true;
    const auto read = [](std::string_view text, auto& number) {
      return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{};
    };
    if (const auto n = value("--programs=")) {
      understood = read(*n, arguments.programs);
    } else if (const auto s = value("--seed=")) {
      understood = read(*s, arguments.seed);
    } else if (const auto o = value("--operations=")) {
      understood = read(*o, arguments.generator.visible_operations);
    } else if (const auto c = value("--corpus=")) {
      arguments.corpus = *c;
    } else if (word == "--stop-at-first") {
      arguments.stop_at_first = true;
    } else if (word == "--bounded") {
      arguments.bounded = true;
    } else if (word == "--stateful") {
      arguments.stateful = true;
    } else if (const auto f = value("--family=")) {
      arguments.family = family_from_text(*f);
      understood = arguments.family.has_value();
    } else if (const auto r = value("--reduction=")) {
      arguments.reduction = reduction_from_text(*r);
      understood = arguments.reduction.has_value();
    } else {
      understood = false;
    }
    if (!understood) {
      fmt::print(stderr, "differential_soak: cannot understand {}\n", word);
      std::exit(2);
    }
  }
  return arguments;
}

}  // namespace
}  // namespace heddle::differential

int main(int argc, char** argv) {
  using namespace heddle;
  using namespace heddle::differential;
  const Arguments arguments = parse(argc, argv);
  set_contract_handler(report_broken_contract);
  if (arguments.bounded) return soak_bounded(arguments.programs, arguments.seed, arguments.stop_at_first);
  if (arguments.stateful) return compare_all_states(arguments);
  Totals totals;
  if (!arguments.corpus.empty()) compare_corpus(arguments, totals);
  compare_random(arguments, totals);
  fmt::print("{} programs (seeds from {}, {} more skipped as too large), {} traces, {} faults", totals.programs,
             arguments.seed, totals.skipped, totals.traces, totals.faults);
  for (std::size_t kind = 1; kind < kReductionNames.size(); ++kind) {
    fmt::print("; {} {}+{}", kReductionNames[kind], totals.executions[kind], totals.blocked[kind]);
  }
  fmt::print("\n");
  return totals.faults == 0 ? 0 : 1;
}
