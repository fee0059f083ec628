#include "cli/search_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/command_line.hpp"
#include "cli/user_error.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t kMostPreemptions = 100'000;

std::optional<std::uint32_t> bound_from_text(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 7 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoul(text) > kMostPreemptions) return std::nullopt;
  return static_cast<std::uint32_t>(std::stoul(text));
}

// "3", "0..3" or "0..".
BoundRange range_from_text(const std::string& text) {
  const std::size_t dots = text.find("..");
  const std::optional<std::uint32_t> first = bound_from_text(text.substr(0, dots));
  std::optional<std::uint32_t> last = first;
  if (dots != std::string::npos) {
    last = dots + 2 == text.size() ? std::optional(kNoBound) : bound_from_text(text.substr(dots + 2));
  }
  if (!first || !last || *last < *first) {
    throw UserError(fmt::format("--preemptions={} is no bound: write a number, or a range like 0..3 or 0..", text));
  }
  return {*first, *last};
}

std::string to_text(const BoundRange& range) {
  if (range.last == kNoBound) return fmt::format("{}..", range.first);
  return range.first == range.last ? fmt::to_string(range.first) : fmt::format("{}..{}", range.first, range.last);
}

}  // namespace

void SearchOptions::add_to(CLI::App& app) {
  app_ = &app;
  app.add_option("--preemptions", preemptions_,
                 "only executions with at most so many preemptions, one for each partial order: a number, a range 0..K "
                 "(one bound after the other) or 0.. (until everything is covered)");
  app.add_option("--bound-algorithm", algorithm_,
                 "with --preemptions: 2 (visits what it needs to reach all ends) or 1 (visits every state)")
      ->check(CLI::IsMember({"1", "2"}))
      ->capture_default_str();
  app.add_option("--max-states", max_states_, "with --preemptions: end the search beyond so many states in memory")
      ->check(whole_number(1))
      ->capture_default_str();
  app.add_option("--sample", sample_, "draw executions instead of searching: random, pct or pos")
      ->check(CLI::IsMember(std::vector<std::string>(kSampleNames.begin(), kSampleNames.end())));
  app.add_option("--runs", runs_, "with --sample: how many")->check(whole_number(1))->capture_default_str();
  app.add_option("--depth", depth_, "with --sample=pct: depth of the bugs it looks for")
      ->check(whole_number(1, 100))
      ->capture_default_str();
  app.add_option("--budget", budget_,
                 "spend this time (60s, 5m) as well as possible: all schedules if they can be finished, else bounds on "
                 "preemptions, else a sample");
  app.add_option(
         "--estimate", estimate_,
         "foresee how many executions the search will need: auto (if it takes long), on (from the start) or off")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str();
}

void SearchOptions::resolve_estimate(SearchRequest& request) const {
  if (estimate_ == "off") request.estimate.at_most = 0;
  if (estimate_ == "on") request.estimate.at_once = 600;
}

void SearchOptions::resolve_budget(SearchRequest& request, std::uint64_t seed) const {
  for (const char* option : {"--preemptions", "--sample", "--reduction", "--max-time"}) {
    if (app_->get_option(option)->count() > 0) throw UserError(std::string(option) + " does not go with --budget");
  }
  request.mode = SearchMode::Portfolio;
  request.estimate.share = 20;  // much depends on it, and early
  request.explore.budget.max_time = parse_duration("--budget", budget_);
  request.sample.seed = seed;
}

void SearchOptions::resolve(SearchRequest& request, std::uint64_t seed) const {
  const auto given = [&](const char* option) { return app_->get_option(option)->count() > 0; };
  resolve_estimate(request);
  if (given("--budget")) return resolve_budget(request, seed);
  if (given("--preemptions") && given("--sample")) throw UserError("--preemptions and --sample exclude each other");
  if (given("--sample") && given("--reduction")) throw UserError("--reduction does not go with --sample");
  for (const char* option : {"--bound-algorithm", "--max-states"}) {
    if (given(option) && !given("--preemptions")) throw UserError(std::string(option) + " goes with --preemptions");
  }
  for (const char* option : {"--runs", "--depth"}) {
    if (given(option) && !given("--sample")) throw UserError(std::string(option) + " goes with --sample");
  }
  if (given("--depth") && sample_ != "pct") throw UserError("--depth goes with --sample=pct");
  if (given("--preemptions")) {
    request.mode = SearchMode::Bound;
    request.bound.bounds = range_from_text(preemptions_);
    request.bound.most_states = max_states_;
    request.bound.kind = algorithm_ == "1" ? BoundKind::AllStates : BoundKind::Terminals;
    if (given("--reduction")) {
      if (request.reduction.kind != ReductionKind::None) {
        throw UserError("--preemptions has a reduction of its own; of the others only --reduction=none goes with it");
      }
      if (given("--bound-algorithm") || given("--max-states") ||
          request.bound.bounds.first != request.bound.bounds.last) {
        throw UserError("--reduction=none --preemptions takes a single bound, without algorithm or states");
      }
      request.bound.kind = BoundKind::Plain;
    }
  }
  if (given("--sample")) {
    request.mode = SearchMode::Sample;
    const auto chosen = std::find(kSampleNames.begin(), kSampleNames.end(), sample_);
    request.sample = {static_cast<SampleKind>(chosen - kSampleNames.begin()), runs_, seed, depth_};
  }
}

void describe_search(const SearchRequest& request, nlohmann::json& search) {
  if (request.mode == SearchMode::Portfolio) {
    search["reduction"] = "portfolio";
    search["budget_seconds"] = std::chrono::duration<double>(*request.explore.budget.max_time).count();
  }
  if (request.mode == SearchMode::Bound) {
    const bool plain = request.bound.kind == BoundKind::Plain;
    search["reduction"] = plain ? "none" : "happens-before";
    search["preemptions"] = to_text(request.bound.bounds);
    if (!plain) {
      search["bound_algorithm"] = request.bound.kind == BoundKind::AllStates ? 1 : 2;
      search["max_states"] = request.bound.most_states;
    }
  } else if (request.mode == SearchMode::Sample) {
    search["reduction"] = "none";
    search["sample"] = kSampleNames[static_cast<std::size_t>(request.sample.kind)];
    search["runs"] = request.sample.runs;
    if (request.sample.kind == SampleKind::Pct) search["depth"] = request.sample.depth;
  }
}

}  // namespace heddle
