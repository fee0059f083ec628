// The table of the Cartesian paper, the rows that take no time; the others are in bench/. States and transitions as
// published.
#include <gtest/gtest.h>

#include "explore/stateful/state_search.hpp"
#include "explore_all.hpp"
#include "papers/cartesian_programs.hpp"

namespace heddle::papers {
namespace {

struct Counts {
  std::uint64_t states;
  std::uint64_t transitions;
  friend bool operator==(Counts, Counts) = default;
  friend void PrintTo(Counts counts, std::ostream* out) { *out << counts.states << "/" << counts.transitions; }
};

Counts count(const toy::ToyCode& code, StateReduction reduction) {
  toy::ToyProgram program(code, {.awaits = false});
  Collected collected;
  StateSearchOptions options;
  options.reduction = reduction;
  options.explore.keep_going = true;
  options.store.max_memory = std::uint64_t{1} << 28U;
  const Statistics statistics = StateSearch(program, collected, options).explore().statistics;
  return {statistics.states, statistics.transitions};
}

Counts standard(const toy::ToyCode& code) { return count(code, StateReduction::None); }
Counts cartesian(const toy::ToyCode& code) { return count(code, StateReduction::Cartesian); }

TEST(CartesianTable, SharedPtr) {
  EXPECT_EQ(standard(shared_pointer()), (Counts{32131, 64262}));
  EXPECT_EQ(cartesian(shared_pointer()), (Counts{418, 12785}));
}

TEST(CartesianTable, SharedArray) {
  EXPECT_EQ(standard(shared_array()), (Counts{2276, 4552}));
  EXPECT_EQ(cartesian(shared_array()), (Counts{132, 1648}));
}

TEST(CartesianTable, Robots) {
  EXPECT_EQ(standard(robots({{0, 0}, {4, 0}})), (Counts{4877, 9754}));
  EXPECT_EQ(cartesian(robots({{0, 0}, {4, 0}})), (Counts{56, 2635}));
  EXPECT_EQ(cartesian(robots({{0, 0}, {4, 0}, {7, 0}})), (Counts{56, 6387}));
}

TEST(CartesianTable, FileSystem) {
  EXPECT_EQ(standard(file_system(2)), (Counts{81, 144}));
  EXPECT_EQ(standard(file_system(3)), (Counts{729, 1944}));
  for (const std::uint32_t n : {2U, 3U, 6U, 13U}) EXPECT_EQ(cartesian(file_system(n)), (Counts{1, 8 * n}));
  EXPECT_EQ(cartesian(file_system(14)), (Counts{10, 1026}));
  EXPECT_EQ(cartesian(file_system(15)), (Counts{100, 10120}));
}

TEST(CartesianTable, Indexer) {
  EXPECT_EQ(standard(indexer(2)), (Counts{25, 40}));
  EXPECT_EQ(standard(indexer(4)), (Counts{625, 2000}));
  for (const std::uint32_t n : {2U, 4U, 8U, 11U}) EXPECT_EQ(cartesian(indexer(n)), (Counts{1, 4 * n}));
  EXPECT_EQ(cartesian(indexer(12)), (Counts{9, 394}));
  EXPECT_EQ(cartesian(indexer(13)), (Counts{81, 3528}));
}

// The standard column only: the program that the Cartesian column belongs to is not published.
TEST(CartesianTable, Philosophers) {
  EXPECT_EQ(standard(philosophers(2)), (Counts{11, 22}));
  EXPECT_EQ(standard(philosophers(3)), (Counts{36, 108}));
  EXPECT_EQ(standard(philosophers(5)), (Counts{393, 1965}));
}

}  // namespace
}  // namespace heddle::papers
