#include <gtest/gtest.h>

#include <vector>

#include "base/thread_set.hpp"

namespace heddle {
namespace {

ThreadId id(int n) { return ThreadId{static_cast<std::uint16_t>(n)}; }

TEST(ThreadSet, IteratesInOrderOverWordBoundaries) {
  ThreadSet set;
  const std::vector<int> members{0, 1, 63, 64, 65, 200, 511};
  for (const int n : members) set.insert(id(n));
  std::vector<int> seen;
  for (auto t = set.first(); t; t = set.after(*t)) seen.push_back(t->value);
  EXPECT_EQ(seen, members);
  EXPECT_EQ(set.size(), members.size());
  EXPECT_EQ(set.last(), id(511));
  EXPECT_EQ(set.after(id(511)), std::nullopt);
}

TEST(ThreadSet, EraseAndEmpty) {
  ThreadSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.first(), std::nullopt);
  EXPECT_EQ(set.last(), std::nullopt);
  set.insert(id(100));
  EXPECT_FALSE(set.empty());
  EXPECT_TRUE(set.contains(id(100)));
  EXPECT_FALSE(set.contains(id(36)));  // same bit of another word
  set.erase(id(100));
  EXPECT_TRUE(set.empty());
}

}  // namespace
}  // namespace heddle
