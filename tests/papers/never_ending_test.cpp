// Programs without an end are searched completely, and their broken twins give a finding.
#include "papers/never_ending_programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "differential/state_compare.hpp"

namespace heddle::papers {
namespace {

using differential::search_states;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::array kSearches{StateReduction::None, StateReduction::Sleep, StateReduction::Cartesian};

StateSearchOptions options_for(StateReduction reduction) {
  StateSearchOptions options;
  options.reduction = reduction;
  options.store.max_memory = std::uint64_t{1} << 28U;
  return options;
}

std::vector<FindingKind> findings(const toy::ToyCode& code, StateReduction reduction) {
  const differential::StatesSearched searched = search_states(code, {}, options_for(reduction));
  EXPECT_EQ(searched.result.ended, Ended::Complete);
  EXPECT_EQ(searched.lasso_fault, std::nullopt);
  std::set<FindingKind> kinds;
  for (const differential::SeenFinding& finding : searched.findings) kinds.insert(finding.kind);
  if (searched.livelock) kinds.insert(FindingKind::Livelock);
  return {kinds.begin(), kinds.end()};
}

TEST(NeverEnding, Peterson) {
  for (const StateReduction search : kSearches) {
    EXPECT_THAT(findings(peterson(2), search), IsEmpty());
    EXPECT_THAT(findings(peterson(3), search), IsEmpty());
    EXPECT_THAT(findings(peterson(2, true), search), ElementsAre(FindingKind::Livelock));
  }
}

// As many states as SPIN stores for bench/spin/peterson.pml, which is written independently of this.
TEST(NeverEnding, PetersonHasTheStatesThatSpinFinds) {
  const auto states = [](std::uint32_t threads) {
    return search_states(peterson(threads), {}, options_for(StateReduction::None)).result.statistics.states;
  };
  EXPECT_EQ(states(2), 96U);
  EXPECT_EQ(states(3), 4306U);
}

TEST(NeverEnding, TokenRing) {
  for (const StateReduction search : kSearches) {
    EXPECT_THAT(findings(token_ring(4), search), IsEmpty());
    EXPECT_THAT(findings(token_ring(4, true), search), ElementsAre(FindingKind::Livelock));
  }
}

TEST(NeverEnding, ProducerAndConsumer) {
  for (const StateReduction search : kSearches) {
    EXPECT_THAT(findings(producer_consumer(), search), IsEmpty());
  }
  // The broken one fills its semaphore for ever; the finding comes first.
  StateSearchOptions options = options_for(StateReduction::None);
  toy::ToyProgram program(producer_consumer(true), {.awaits = false});
  struct First final : Listener {
    void found(const Finding& finding, std::span<const PlannedChoice>) override { kinds.push_back(finding.kind); }
    std::vector<FindingKind> kinds;
  } first;
  EXPECT_EQ(StateSearch(program, first, options).explore().ended, Ended::FirstFinding);
  EXPECT_THAT(first.kinds, ElementsAre(FindingKind::Assertion));
}

TEST(NeverEnding, ServerWithThreeClients) {
  for (const StateReduction search : kSearches) {
    EXPECT_THAT(findings(server(3), search), IsEmpty());
    EXPECT_THAT(findings(server(2, true), search), testing::Contains(FindingKind::Assertion));
  }
}

}  // namespace
}  // namespace heddle::papers
