#include <fmt/format.h>

#include "differential/bounded.hpp"
#include "differential/generator.hpp"
#include "differential/shrinker.hpp"
#include "differential/toy_text.hpp"

namespace heddle::differential {
namespace {

constexpr OracleLimits kLimits{.prefixes = 4000};

// Every bound that some state of the program has, with each search; and all bounds one after another.
std::vector<BoundedCase> cases(std::uint32_t largest, ThreadOrder order) {
  std::vector<BoundedCase> all;
  for (std::uint32_t bound = 0; bound <= largest; ++bound) {
    for (const BoundKind kind : {BoundKind::Plain, BoundKind::AllStates, BoundKind::Terminals}) {
      all.push_back({kind, {bound, bound}, order});
    }
  }
  for (const BoundKind kind : {BoundKind::AllStates, BoundKind::Terminals}) all.push_back({kind, {0, largest}, order});
  return all;
}

void show(const toy::ToyCode& code, toy::ToyOptions options, const BoundedCase& tried, const std::string& what) {
  const auto fails = [&](const toy::ToyCode& smaller) {
    const BoundedOracle oracle = least_preemptions(smaller, options, kLimits);
    return !oracle.limit_hit && bounded_complaint(smaller, options, tried, oracle).has_value();
  };
  fmt::print("--bounded, search {}, bounds {}..{}: {}\n{}\n", text(tried.kind), tried.bounds.first, tried.bounds.last,
             what, to_text({"", shrink(code, fails), options, {}}));
}

}  // namespace

int soak_bounded(std::uint64_t programs, std::uint64_t first_seed, bool stop_at_first) {
  std::uint64_t compared = 0;
  std::uint64_t skipped = 0;
  std::uint64_t searches = 0;
  std::uint64_t traces = 0;
  std::uint64_t faults = 0;
  std::uint64_t naive_misses = 0;
  for (std::uint64_t seed = first_seed; compared < programs; ++seed) {
    for (const Family family : kFamilies) {
      const toy::ToyOptions options{.timeouts = static_cast<unsigned>(seed % 3),
                                    .spurious_wakeups = static_cast<unsigned>(seed % 7 == 0)};
      const toy::ToyCode code = generate(family, seed, {.visible_operations = 8});
      const BoundedOracle oracle = least_preemptions(code, options, kLimits);
      if (oracle.limit_hit) {
        ++skipped;
        continue;
      }
      ++compared;
      traces += oracle.traces.size();
      const ThreadOrder order = compared % 2 == 0 ? ThreadOrder::Lowest : ThreadOrder::Highest;
      for (const BoundedCase& tried : cases(oracle.largest_bound(), order)) {
        ++searches;
        const auto what = bounded_complaint(code, options, tried, oracle);
        if (!what) continue;
        if (++faults <= 5) show(code, options, tried, *what);
        if (stop_at_first) return 1;
      }
      std::size_t of_bound_0 = 0;
      for (const auto& [name, preemptions] : oracle.traces) of_bound_0 += preemptions == 0 ? 1U : 0U;
      if (naive_combination(code, options, 0).size() < of_bound_0) ++naive_misses;
    }
  }
  fmt::print(
      "{} programs (seeds from {}, {} more skipped as too large), {} traces, {} searches with every bound, {} faults; "
      "sleep sets pruned by bound 0 miss a trace in {} programs\n",
      compared, first_seed, skipped, traces, searches, faults, naive_misses);
  return faults == 0 ? 0 : 1;
}

}  // namespace heddle::differential
