// What is remembered of a word that settled a race, to settle the next one with the same first event.
#include "explore/stateless/word.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr ThreadId kOne{1};
constexpr ThreadId kTwo{2};
constexpr ThreadId kThree{3};
constexpr Execution::Place at(std::uint32_t object, Mode mode) { return {object, 1, mode}; }

TEST(ForeignLetters, BeginAWordUnlessOneDependsOnItsEnd) {
  ForeignLetters letters;
  EXPECT_TRUE(letters.begin_with(kOne, at(3, Mode::Write)));
  letters.add(kOne, at(3, Mode::Read));
  EXPECT_TRUE(letters.begin_with(kTwo, at(4, Mode::Write)));
  EXPECT_TRUE(letters.begin_with(kTwo, at(3, Mode::Read)));
  EXPECT_FALSE(letters.begin_with(kTwo, at(3, Mode::Write)));
  letters.add(kThree, at(4, Mode::Write));
  EXPECT_FALSE(letters.begin_with(kTwo, at(4, Mode::Read)));
  EXPECT_TRUE(letters.begin_with(kTwo, at(5, Mode::Write)));
}

// Steps of one thread depend on each other, whatever they access.
TEST(ForeignLetters, DoNotBeginAWordThatEndsWithAStepOfTheirThread) {
  ForeignLetters letters;
  letters.add(kOne, at(3, Mode::Read));
  EXPECT_FALSE(letters.begin_with(kOne, at(4, Mode::Read)));
}

TEST(ForeignLetters, BeginNothingOnceOneOfThemIsNotKnown) {
  ForeignLetters nowhere;
  nowhere.add(kOne, {});
  EXPECT_FALSE(nowhere.begin_with(kTwo, at(4, Mode::Read)));
  ForeignLetters many;
  for (std::uint32_t object = 0; object < 3; ++object) many.add(kOne, at(object, Mode::Read));
  EXPECT_FALSE(many.begin_with(kTwo, at(4, Mode::Read)));
  many.clear();
  EXPECT_TRUE(many.begin_with(kTwo, at(4, Mode::Read)));
  EXPECT_FALSE(many.begin_with(kTwo, {}));
}

}  // namespace
}  // namespace heddle
