#include "explore/reductions.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "explore/bounded/algorithm_1.hpp"
#include "explore/bounded/algorithm_2.hpp"
#include "explore/bounded/bounded_dfs.hpp"
#include "explore/stateless/none.hpp"
#include "explore/stateless/optimal.hpp"
#include "explore/stateless/sleep.hpp"
#include "explore/stateless/source.hpp"

namespace heddle {

std::optional<ReductionKind> reduction_from_text(std::string_view text) {
  const auto found = std::find(kReductionNames.begin(), kReductionNames.end(), text);
  if (found == kReductionNames.end()) return std::nullopt;
  return static_cast<ReductionKind>(found - kReductionNames.begin());
}

bool runs_each_trace_once(const ReductionChoice& choice) {
  switch (choice.kind) {
    case ReductionKind::None: return false;
    case ReductionKind::Persistent:
    case ReductionKind::Static: return choice.persistent.sleep_sets;
    case ReductionKind::Sleep:
    case ReductionKind::Source:
    case ReductionKind::Optimal: return true;
  }
  return false;
}

namespace {

std::unique_ptr<Reduction> make_static(const ReductionChoice& choice) {
  HEDDLE_REQUIRE(choice.known != nullptr, "a static reduction needs what the analysis has found out");
  auto sets = std::make_unique<StaticSets>(*choice.known);
  if (choice.dynamic) return std::make_unique<PersistentReduction>(choice.persistent, choice.order, std::move(sets));
  if (choice.persistent.sleep_sets) return std::make_unique<SleepReduction>(choice.order, std::move(sets));
  return std::make_unique<NoReduction>(choice.order, std::move(sets));
}

}  // namespace

std::unique_ptr<Reduction> make_reduction(const ReductionChoice& choice, bool self_check) {
  switch (choice.kind) {
    case ReductionKind::None: return std::make_unique<NoReduction>(choice.order);
    case ReductionKind::Sleep: return std::make_unique<SleepReduction>(choice.order);
    case ReductionKind::Persistent: return std::make_unique<PersistentReduction>(choice.persistent, choice.order);
    case ReductionKind::Static: return make_static(choice);
    case ReductionKind::Source: return std::make_unique<SourceReduction>(choice.order);
    case ReductionKind::Optimal: return std::make_unique<OptimalReduction>(choice.order, self_check);
  }
  return nullptr;
}

std::unique_ptr<Reduction> make_bounded(const BoundChoice& choice, ThreadOrder order, bool exact) {
  const HbSearchOptions options{choice.bounds, order, choice.most_states, exact};
  switch (choice.kind) {
    case BoundKind::Plain: return std::make_unique<BoundedDfs>(choice.bounds.last, order);
    case BoundKind::AllStates: return std::make_unique<Algorithm1>(options);
    case BoundKind::Terminals: return std::make_unique<Algorithm2>(options);
  }
  return nullptr;
}

}  // namespace heddle
