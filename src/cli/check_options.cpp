#include "cli/check_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "cli/command_line.hpp"
#include "cli/search_options.hpp"
#include "cli/state_options.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

// In the order of symbolic::Peephole.
constexpr std::array<std::string_view, 4> kPeepholes{"none", "static", "simple", "full"};

// HEDDLE_OPTIONS="key=value:key=value" stands for --key=value in front of the command line's own options.
std::vector<std::string> environment_options() {
  std::vector<std::string> options;
  const char* text = std::getenv("HEDDLE_OPTIONS");
  for (std::string rest = text != nullptr ? text : ""; !rest.empty();) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) options.push_back("--" + rest.substr(0, colon));
    rest.erase(0, std::min(colon + 1, rest.size()));
  }
  return options;
}

std::vector<std::string> reduction_names() {
  std::vector<std::string> names(kReductionNames.begin(), kReductionNames.end());
  names.emplace_back(kCartesian);
  return names;
}

// How many words at the front are options (with their values, where those are words of their own).
std::size_t leading_options(const CLI::App& app, const std::vector<std::string>& words) {
  std::size_t count = 0;
  while (count < words.size() && words[count].size() > 1 && words[count].front() == '-' && words[count] != "--") {
    const CLI::Option* option = app.get_option_no_throw(words[count]);
    const bool value_follows = option != nullptr && option->get_expected_min() > 0;
    count += value_follows ? 2 : 1;
  }
  return std::min(count, words.size());
}

// --symbolic takes all schedules at once: an option that chooses among them would be ignored.
void refuse_other_searches(const CLI::App& app) {
  for (const char* option : {"--reduction", "--preemptions", "--sample", "--budget", "--estimate", "--backtrack"}) {
    if (app.get_option(option)->count() > 0) throw UserError(std::string(option) + " does not go with --symbolic");
  }
}

}  // namespace

std::optional<CheckOptions> parse_check_options(const std::vector<std::string>& arguments) {
  CheckOptions options;
  WorkerConfiguration& c = options.configuration;
  Budget& budget = c.search.explore.budget;
  std::string visible = "sync";
  std::string heap = "quarantine";
  std::string order = "lowest";
  std::string reduction(text(c.search.reduction.kind));
  std::string variant(kPersistentVariants.front());
  bool no_sleep_sets = false;
  std::string peephole = "full";
  std::string max_time;
  std::string races;
  std::string progress = "auto";
  std::uint64_t heap_limit_mib = c.heap_limit >> 20U;
  CLI::App app("Runs a program under every schedule and reports what goes wrong.", "heddle check");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option(
         "--reduction", reduction,
         "which schedules to run: optimal (one for each partial order), source, persistent, sleep (also one, with "
         "attempts in vain), static (likewise, fewer attempts: by an analysis of C sources) or none (all schedules); "
         "cartesian goes over states (--stateful)")
      ->check(CLI::IsMember(reduction_names()))
      ->capture_default_str();
  StateOptions states;
  states.add_to(app);
  app.add_option("--persistent-variant", variant,
                 "with --reduction=persistent: combined, or a published form without sleep sets (general, clocks, "
                 "last-access, read-write-clocks)")
      ->check(CLI::IsMember(std::vector<std::string>(kPersistentVariants.begin(), kPersistentVariants.end())))
      ->capture_default_str();
  app.add_flag("--no-sleep-sets", no_sleep_sets, "with --reduction=persistent or static: without them");
  app.add_flag("--dynamic", c.search.reduction.dynamic,
               "with --reduction=static: refine what the analysis says by what executions show, as persistent does");
  SearchOptions search;
  search.add_to(app);
  app.add_flag("--self-check", c.search.self_check, "check the search itself on every execution (slow)");
  app.add_option("--backtrack", c.backtrack,
                 "how to go back to a state: restore (from a checkpoint), replay (of what led there) or auto (what is "
                 "cheaper)")
      ->check(CLI::IsMember({"auto", "restore", "replay"}))
      ->capture_default_str();
  app.add_option("--visible", visible,
                 "scheduling points: sync (synchronisation and atomics) or all (plain accesses too)")
      ->check(CLI::IsMember({"sync", "all"}))
      ->capture_default_str();
  app.add_option("--races", races, "report data races: on or off [on with --visible=sync, off with --visible=all]")
      ->check(CLI::IsMember({"on", "off"}));
  app.add_flag("--no-minimize{false}", c.minimise, "report findings as they were met, not the smallest form of them");
  app.add_flag("--keep-going", c.search.explore.keep_going, "do not stop at the first finding");
  app.add_option("--order", order, "thread to try first: lowest or highest number")
      ->check(CLI::IsMember({"lowest", "highest"}))
      ->capture_default_str();
  app.add_option("--timeouts", c.timeouts, "time-outs explored per thread and execution while others can run")
      ->capture_default_str()
      ->check(whole_number(0, 1000000));
  app.add_option("--spurious-wakeups", c.spurious_wakeups, "spurious wake-ups explored per execution")
      ->capture_default_str()
      ->check(whole_number(0, 1000000));
  app.add_option("--weak-cas-failures", c.weak_cas_failures,
                 "weak compare-exchanges that fail without a reason, explored per execution")
      ->capture_default_str()
      ->check(whole_number(0, 1000000));
  app.add_option("--alloc-failures", c.allocation_failures, "allocations that fail, explored per execution")
      ->capture_default_str()
      ->check(whole_number(0, 1000000));
  app.add_option("--heap", heap, "freed memory: quarantine (never used again) or reuse (last freed first)")
      ->check(CLI::IsMember({"quarantine", "reuse"}))
      ->capture_default_str();
  app.add_option("--heap-limit", heap_limit_mib, "MiB of heap one execution may allocate")
      ->capture_default_str()
      ->check(whole_number(1, 4194304));
  app.add_option("--seed", c.seed, "of the random numbers: those that the program sees, and those of --sample")
      ->capture_default_str()
      ->check(whole_number(0));
  app.add_option("--max-executions", budget.max_executions, "end the search after so many executions")
      ->check(whole_number(1));
  app.add_option("--max-steps", budget.max_steps, "cut an execution off after so many steps")
      ->capture_default_str()
      ->check(whole_number(1));
  app.add_option("--max-time", max_time, "end the search after so long (60s, 5m)");
  app.add_option("--step-timeout", options.step_timeout, "seconds a thread may run without a visible operation")
      ->capture_default_str();
  app.add_option("--isolate", options.isolate, "auto, memory (restart by putting memory back) or fork (a process each)")
      ->check(CLI::IsMember({"auto", "memory", "fork"}))
      ->capture_default_str();
  app.add_option("--at", c.at,
                 "explore one heddle::check inside a test program instead of main: its name, and #K for the K-th of "
                 "that name");
  app.add_option("--results-before", c.results_before,
                 "with --at: what the checks before it found, as a result file has it");
  CLI::Option* wants_symbolic = app.add_flag(
      "--symbolic", options.symbolic.wanted,
      "cover all inputs and all schedules of C or C++ sources up to --steps, with a solver, instead of running them");
  app.add_option("--steps", options.symbolic.steps, "with --symbolic: steps of an execution")
      ->needs(wants_symbolic)
      ->capture_default_str()
      ->check(whole_number(1, 1000000));
  app.add_option("--peephole", peephole,
                 "with --symbolic: which schedules to leave out: none, those of statically independent steps (static), "
                 "of steps at different addresses (simple), or also of steps that do not notice each other (full)")
      ->needs(wants_symbolic)
      ->check(CLI::IsMember(std::vector<std::string>(kPeepholes.begin(), kPeepholes.end())))
      ->capture_default_str();
  app.add_option("--dump-smt", options.symbolic.smt_file,
                 "with --symbolic: write the last question to the solver to this file, as SMT-LIB 2")
      ->needs(wants_symbolic);
  app.add_option("--dump-independence", options.symbolic.independence_file,
                 "with --symbolic: write which steps are independent, and by which rule, to this file")
      ->needs(wants_symbolic);
  app.add_option("--suppressions", options.suppressions_file,
                 "file with code that is declared harmless although Heddle cannot see what it does");
  add_report_options(app, options.files);
  add_checkpoint_options(app, options.checkpoint);
  app.add_option("--progress", progress, "auto (one live line on a terminal), line, json (lines for machines) or none")
      ->check(CLI::IsMember({"auto", "line", "json", "none"}))
      ->capture_default_str();
  app.add_option("--cflags", options.cflags, "further options for compiling sources");
  app.add_flag("--show-output", c.show_output, "let the program's output through");
  app.footer("What follows the program, or `--` behind sources, belongs to the program.");
  std::vector<std::string> words = environment_options();
  const std::size_t own = leading_options(app, arguments);
  words.insert(words.end(), arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(own));
  if (!parse_words(app, std::move(words))) return std::nullopt;
  options.positional.assign(arguments.begin() + static_cast<std::ptrdiff_t>(own), arguments.end());
  if (options.positional.empty()) throw UserError("heddle check needs a program: an executable, or C or C++ sources");
  if (!max_time.empty()) budget.max_time = parse_duration("--max-time", max_time);
  if (!(options.step_timeout > 0) || options.step_timeout > kLongestSeconds) {
    throw UserError("--step-timeout needs a positive number of seconds, of at most 100 days");
  }
  c.visible_all = visible == "all";
  if (!races.empty()) c.races = races == "on";
  c.reuse_heap = heap == "reuse";
  c.search.reduction.order = order == "highest" ? ThreadOrder::Highest : ThreadOrder::Lowest;
  // Cartesian is none of these; what a search over states does with it is said below.
  c.search.reduction.kind = reduction_from_text(reduction).value_or(ReductionKind::None);
  const auto chosen = std::find(kPersistentVariants.begin(), kPersistentVariants.end(), variant);
  c.search.reduction.persistent.variant = static_cast<PersistentVariant>(chosen - kPersistentVariants.begin());
  // The published forms lose executions if sleep sets are added to them.
  c.search.reduction.persistent.sleep_sets = !no_sleep_sets && chosen == kPersistentVariants.begin();
  const bool is_static = c.search.reduction.kind == ReductionKind::Static;
  const bool is_persistent = c.search.reduction.kind == ReductionKind::Persistent;
  if (c.search.reduction.dynamic && !is_static) throw UserError("--dynamic goes with --reduction=static");
  if (no_sleep_sets && !is_persistent && !is_static) {
    throw UserError("--no-sleep-sets goes with --reduction=persistent or static");
  }
  if (chosen != kPersistentVariants.begin() && !is_persistent) {
    throw UserError("--persistent-variant goes with --reduction=persistent");
  }
  if (is_static && c.spurious_wakeups + c.weak_cas_failures + c.allocation_failures > 0) {
    throw UserError(
        "--reduction=static does not go with --spurious-wakeups, --weak-cas-failures or --alloc-failures: they are "
        "counted over all threads, so that every step depends on all others");
  }
  search.resolve(c.search, c.seed);
  states.resolve(reduction, c);
  options.symbolic.peephole =
      static_cast<symbolic::Peephole>(std::find(kPeepholes.begin(), kPeepholes.end(), peephole) - kPeepholes.begin());
  c.heap_limit = heap_limit_mib << 20U;
  const bool line = progress == "line" || (progress == "auto" && ::isatty(STDERR_FILENO) != 0);
  options.progress = progress == "json" ? ProgressStyle::Json : line ? ProgressStyle::Line : ProgressStyle::None;
  c.fork = options.isolate == "fork";
  if (options.symbolic.wanted) refuse_other_searches(app);
  if (options.symbolic.wanted && (c.visible_all || c.weak_cas_failures > 0 || c.allocation_failures > 0)) {
    throw UserError("--visible=all, --weak-cas-failures and --alloc-failures are not modelled by --symbolic");
  }
  return options;
}

nlohmann::json search_options(const CheckOptions& options) {
  const WorkerConfiguration& c = options.configuration;
  nlohmann::json search{{"reduction", std::string(text(c.search.reduction.kind))},
                        {"visible", c.visible_all ? "all" : "sync"},
                        {"races", c.races.value_or(!c.visible_all)},
                        {"order", c.search.reduction.order == ThreadOrder::Highest ? "highest" : "lowest"},
                        {"timeouts", c.timeouts},
                        {"spurious_wakeups", c.spurious_wakeups},
                        {"weak_cas_failures", c.weak_cas_failures},
                        {"alloc_failures", c.allocation_failures},
                        {"heap", c.reuse_heap ? "reuse" : "quarantine"},
                        {"heap_limit_mib", c.heap_limit >> 20U},
                        {"seed", c.seed},
                        {"isolate", c.fork ? "fork" : "memory"},
                        {"keep_going", c.search.explore.keep_going}};
  if (!c.at.empty()) {
    search["at"] = c.at;
    search["results_before"] = c.results_before;
  }
  describe_search(c.search, search);
  if (c.search.mode == SearchMode::States) describe_states(c.search.states, search);
  const ReductionChoice& reduction = c.search.reduction;
  if (reduction.kind == ReductionKind::Static) {
    search["reduction"] = std::string(text(reduction.kind));
    search["dynamic"] = reduction.dynamic;
    search["sleep_sets"] = reduction.persistent.sleep_sets;
  }
  if (reduction.kind == ReductionKind::Persistent) {
    search["persistent_variant"] = kPersistentVariants[static_cast<std::size_t>(c.search.reduction.persistent.variant)];
    search["sleep_sets"] = c.search.reduction.persistent.sleep_sets;
  }
  if (options.symbolic.wanted) {
    search["symbolic"] = true;
    search["steps"] = options.symbolic.steps;
    search["peephole"] = symbolic::text(options.symbolic.peephole);
  }
  return search;
}

}  // namespace heddle
