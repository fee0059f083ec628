#include "cli/state_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command_line.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 40U;  // address space is reserved for it several times

// "512M", "4G"; plain numbers are bytes.
std::uint64_t parse_size(const std::string& option, const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string unit = text.substr(digits);
  if (unit.ends_with("iB")) unit.resize(unit.size() - 2);
  const std::size_t scale = std::string_view("KMGT").find(unit.empty() ? '?' : unit.front());
  const bool known = unit.empty() || (unit.size() == 1 && scale != std::string_view::npos);
  if (digits == 0 || digits > 15 || !known) {
    throw UserError(fmt::format("{}={} is not a size; write for instance 512M or 4G", option, text));
  }
  const std::uint64_t factor = unit.empty() ? 1 : std::uint64_t{1} << (10 * (scale + 1));
  const std::uint64_t number = std::stoull(text.substr(0, digits));
  if (number > kMostMemory / factor || number * factor < kLeastMemory) {
    throw UserError(fmt::format("{}={} is out of range: from 1M to 1T", option, text));
  }
  return number * factor;
}

}  // namespace

void StateOptions::add_to(CLI::App& app) {
  app_ = &app;
  app.add_flag("--stateful", stateful_,
               "search over states instead of executions, so that programs that never end can be covered, with "
               "--reduction=sleep (the default then), none, static or cartesian");
  app.add_option("--max-memory", max_memory_, "with --stateful: end the search beyond so much memory (512M, 4G) [4G]");
  app.add_flag("--state-hash-only", hash_only_,
               "with --stateful: keep 128 bits of each state instead of all of it, and take states with the same for "
               "one");
  app.add_option("--jobs", jobs_, "with --stateful and --reduction=none or cartesian: search in so many processes")
      ->check(whole_number(1, 256))
      ->capture_default_str();
}

bool StateOptions::given(const char* option) const { return app_->get_option(option)->count() > 0; }

void StateOptions::refuse_others() const {
  for (const char* option : {"--preemptions", "--sample", "--budget", "--symbolic", "--estimate", "--backtrack",
                             "--max-executions", "--max-steps", "--weak-cas-failures", "--alloc-failures"}) {
    if (given(option)) throw UserError(std::string(option) + " does not go with a search over states (--stateful)");
  }
  if (given("--visible") && app_->get_option("--visible")->as<std::string>() != "all") {
    throw UserError("a search over states (--stateful) sees all memory accesses: leave out --visible=sync");
  }
  if (given("--races") && app_->get_option("--races")->as<std::string>() == "on") {
    throw UserError(
        "a search over states (--stateful) cannot look for data races, which are about how a state was reached; leave "
        "out --races=on, or check without --stateful");
  }
  if (given("--isolate") && app_->get_option("--isolate")->as<std::string>() == "fork") {
    throw UserError("a search over states (--stateful) puts memory back: --isolate=fork does not go with it");
  }
}

StateReduction StateOptions::reduction_of(const std::string& text, bool sleep_sets) const {
  if (!given("--reduction")) return jobs_ > 1 ? StateReduction::None : StateReduction::Sleep;
  if (text == "static") return sleep_sets ? StateReduction::Sleep : StateReduction::None;
  const auto* const found = std::find(kStateReductionNames.begin(), kStateReductionNames.end(), text);
  if (found == kStateReductionNames.end()) {
    throw UserError("--stateful goes with --reduction=none, sleep, static or cartesian, and not with " + text);
  }
  return static_cast<StateReduction>(found - kStateReductionNames.begin());
}

void StateOptions::resolve(const std::string& reduction, WorkerConfiguration& configuration) const {
  if (!stateful_ && reduction != kCartesian) {
    for (const char* option : {"--max-memory", "--state-hash-only", "--jobs"}) {
      if (given(option)) throw UserError(std::string(option) + " goes with --stateful or --reduction=cartesian");
    }
    return;
  }
  refuse_others();
  StatesChoice& states = configuration.search.states;
  configuration.search.mode = SearchMode::States;
  const ReductionChoice& chosen = configuration.search.reduction;
  states.reduction = reduction_of(reduction, chosen.persistent.sleep_sets);
  if (chosen.dynamic) {
    throw UserError("--dynamic does not go with --stateful: it learns from whole executions");
  }
  if (jobs_ > 1 && chosen.kind == ReductionKind::Static) {
    throw UserError("--jobs goes with --reduction=none or cartesian: static sets are of one process only");
  }
  states.jobs = jobs_;
  states.store.hash_only = hash_only_;
  if (given("--max-memory")) states.store.max_memory = parse_size("--max-memory", max_memory_);
  if (jobs_ > 1 && states.reduction == StateReduction::Sleep) {
    throw UserError("--jobs goes with --reduction=none or cartesian: sleep sets are of one process only");
  }
  configuration.visible_all = true;
  configuration.races = false;
  // What is freed and never used again would make every round of a loop a new state.
  if (!given("--heap")) configuration.reuse_heap = true;
}

void describe_states(const StatesChoice& choice, nlohmann::json& search) {
  search["stateful"] = true;
  search["reduction"] = kStateReductionNames[static_cast<std::size_t>(choice.reduction)];
  search["max_memory"] = choice.store.max_memory;
  search["state_hash_only"] = choice.store.hash_only;
  search["jobs"] = choice.jobs;
}

}  // namespace heddle
