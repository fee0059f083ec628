#include <heddle/gtest.hpp>
#include <thread>

#include "counter.hpp"

static Counter counter;

// Starts a thread itself, before the others: only the test that is explored runs in the process that explores it.
TEST(Ordinary, UsesThreads) {
  Counter own;
  std::thread other([&] { own.add(); });
  other.join();
  EXPECT_EQ(own.value(), 1);
}

HEDDLE_TEST(Explored, Right) {
  std::thread other([] { counter.add(); });
  counter.add();
  other.join();
  EXPECT_EQ(counter.value(), 2);
}

HEDDLE_TEST(Explored, Wrong, "--reduction=source", "--order=highest") {
  std::thread other([] { counter.add_wrongly(); });
  counter.add_wrongly();
  other.join();
  EXPECT_EQ(counter.value(), 2) << "one got lost";  // BUG
}

class Fixture : public ::testing::Test {
 protected:
  void SetUp() override { start = 5; }
  int start = 0;
};

TEST_F(Fixture, ExploresWithin) {
  const auto result = heddle::check([&] {
    std::thread other([&] { counter.add_wrongly(); });
    counter.add_wrongly();
    other.join();
    ASSERT_EQ(start, 5);
    heddle_assert(counter.value() == 2);
  });
  ASSERT_EQ(result.verdict, "bug") << result.text();
  EXPECT_EQ(result.findings.at(0).kind, "assertion");
}
