#include "cli/coverage.hpp"

#include <fmt/format.h>

#include <cmath>

namespace heddle {
namespace {

using nlohmann::json;

std::string what_is_interleaved(const WorkerConfiguration& c) {
  return c.visible_all ? "all memory accesses" : "the visible operations (synchronisation and atomics)";
}

std::string preemptions(std::uint64_t count) {
  return count == 1 ? "1 preemption" : fmt::format("{} preemptions", count);
}

// The largest bound that was searched to its end; nothing if none was.
std::optional<std::uint64_t> largest_complete(const json& bounds) {
  std::optional<std::uint64_t> largest;
  for (const json& bound : bounds) {
    if (bound["complete"]) largest = bound["bound"].get<std::uint64_t>();
  }
  return largest;
}

void describe_bounds(Result& result, const json& found, const WorkerConfiguration& c) {
  const json& bounds = found["bounds"];
  Coverage& coverage = result.coverage;
  coverage.details["bounds"] = bounds;
  const std::optional<std::uint64_t> covered = largest_complete(bounds);
  if (found["everything"] && result.verdict == Verdict::Verified) return;  // as good as without a bound
  coverage.kind = "preemption-bound";
  coverage.details["bound"] = bounds.back()["bound"];
  if (!coverage.statement.empty() && !covered) return;
  const std::string what =
      covered
          ? fmt::format("no {}bug in all interleavings of {} with at most {}, under sequential consistency",
                        result.verdict == Verdict::Bug ? "other " : "", what_is_interleaved(c), preemptions(*covered))
          : "not covered: " + preemptions(bounds.back()["bound"].get<std::uint64_t>());
  if (result.verdict == Verdict::Bug) {
    coverage.statement +=
        fmt::format("; found with a bound of {}", preemptions(bounds.back()["bound"].get<std::uint64_t>()));
  } else {
    coverage.statement = what;
  }
}

void describe_sample(Result& result, const json& sample, const SampleChoice& choice) {
  Coverage& coverage = result.coverage;
  const bool bounded = coverage.kind == "preemption-bound";  // a portfolio, which says more than a sample
  if (!bounded) coverage.kind = "sampled";
  coverage.details["sample"] = sample;
  const auto runs = sample["runs"].get<std::uint64_t>();
  std::string statement = fmt::format("{} executions drawn at random ({}, seed {})", runs,
                                      kSampleNames[static_cast<std::size_t>(choice.kind)], choice.seed);
  if (choice.kind == SampleKind::Pct && runs > 1) {
    const SampleReport report{runs, sample["threads"], sample["decisions"]};
    const double once = pct_probability(report, choice.depth);
    // The first run only finds out how many decisions there are.
    const double overall = -std::expm1(static_cast<double>(runs - 1) * std::log1p(-once));
    coverage.details["sample"]["depth"] = choice.depth;
    coverage.details["sample"]["probability_per_run"] = once;
    coverage.details["sample"]["probability"] = overall;
    statement += fmt::format(
        "; a bug of depth {} would have shown with a probability of at least {:.3g} ({} threads, {} decisions)",
        choice.depth, overall, report.threads, report.decisions);
  }
  if (coverage.statement.empty()) {
    coverage.statement = statement;
  } else if (bounded && result.verdict != Verdict::Bug) {
    coverage.statement += "; beyond that " + statement;
  }
}

// What is left out of a state, or out of the search, is said with it.
void describe_states(Result& result, const json& found, const SearchRequest& search) {
  const StatesChoice& choice = search.states;
  const std::uint64_t states = result.statistics.states;
  const auto bytes = found["bytes"].get<std::uint64_t>();
  result.statistics_details["state_bytes"] = bytes;
  result.statistics_details["bytes_per_state"] = states > 0 ? bytes / states : 0;
  Coverage& coverage = result.coverage;
  const bool cartesian = choice.reduction == StateReduction::Cartesian;
  const bool in_vain = found["static_in_vain"];
  const bool reduced = search.reduction.kind == ReductionKind::Static && !in_vain;
  if (in_vain) coverage.details["static_in_vain"] = true;
  if (result.verdict == Verdict::Verified && reduced) {
    coverage.statement = fmt::format(
        "no bug and no deadlock in any reachable state, under sequential consistency with all memory accesses "
        "interleaved: {} states expanded by static reduction",
        states);
  } else if (result.verdict == Verdict::Verified) {
    coverage.statement =
        cartesian ? fmt::format(
                        "no bug in any local state of any thread, no deadlock and no livelock, under sequential "
                        "consistency with all memory accesses interleaved: {} states expanded by Cartesian reduction",
                        states)
                  : fmt::format(
                        "no bug, deadlock or livelock in all {} reachable states, under sequential consistency with "
                        "all memory accesses interleaved",
                        states);
  } else if (coverage.statement.empty()) {
    coverage.statement = fmt::format("not covered: what lies behind the {} states that were met", states);
  }
  coverage.not_modelled.emplace_back("data races are not looked for in a search over states");
  if (!choice.store.hash_only) return;
  const double probability = std::ldexp(static_cast<double>(states) * static_cast<double>(states), -129);
  coverage.details["hash_collision_probability"] = probability;
  coverage.not_modelled.push_back(
      fmt::format("states were compared by 128 bits of hash: that two of them were taken for one has a probability "
                  "below {:.1e}, if the hash behaves as a random function",
                  probability));
}

// A portfolio draws with PCT.
SampleChoice sample_of(const SearchRequest& request) {
  SampleChoice choice = request.sample;
  if (request.mode == SearchMode::Portfolio) choice.kind = SampleKind::Pct;
  return choice;
}

void add_notes(Result& result, const json& done, const WorkerConfiguration& c) {
  std::vector<std::string>& notes = result.coverage.not_modelled;
  if (done.value("weak_orders", false)) {
    notes.push_back(
        "atomic accesses weaker than seq_cst were explored as if sequentially consistent (the race check honours "
        "their orders)");
  }
  if (done.value("timeouts_cut", false)) {
    notes.push_back(fmt::format(
        "time-outs beyond {} per thread were left out while other threads could run (--timeouts)", c.timeouts));
  }
  if (done.value("main_returned_early", false)) {
    notes.push_back(
        "main returned while other threads still ran: exit handlers were interleaved with them, and threads "
        "blocked when the last of those has run do not count as a deadlock");
  }
}

}  // namespace

void describe_coverage(Result& result, const json* done, const CheckOptions& options) {
  const WorkerConfiguration& c = options.configuration;
  const json found = done != nullptr ? done->value("coverage", json::object()) : json::object();
  if (found.contains("bounds")) describe_bounds(result, found, c);
  if (found.contains("sample")) describe_sample(result, found["sample"], sample_of(c.search));
  if (found.contains("states")) describe_states(result, found["states"], c.search);
  for (const char* field : {"partial_orders", "estimate"}) {
    if (found.contains(field)) result.statistics_details[field] = found[field];
  }
  if (result.coverage.statement.empty()) {
    result.coverage.statement =
        fmt::format("{} all interleavings of {} under sequential consistency",
                    result.verdict == Verdict::Verified ? "no bug in" : "not covered:", what_is_interleaved(c));
  }
  if (done != nullptr) add_notes(result, *done, c);
}

}  // namespace heddle
