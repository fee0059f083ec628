#include "model/choice.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Schedule, RunsAreCounted) {
  const std::vector<NamedChoice> schedule{{"0", 0}, {"0", 0}, {"0.1", 0}, {"0.2", 1}, {"0.2", 1}, {"0.2", 1}, {"0", 0}};
  EXPECT_EQ(to_text(schedule), "0*2 0.1 0.2!1*3 0");
  EXPECT_EQ(schedule_from_text("0*2 0.1 0.2!1*3 0"), schedule);
}

TEST(Schedule, EmptyTextIsTheEmptySchedule) {
  EXPECT_EQ(to_text({}), "");
  EXPECT_EQ(schedule_from_text(""), std::vector<NamedChoice>{});
}

TEST(Schedule, DamagedTextIsRefused) {
  for (const char* text :
       {"x", "0..1", "0.", ".1", "0!", "0!x", "0*", "0*0", "0*-1", "0 \t1", "0*99999999999", "0!1!2", "0*2*2"}) {
    EXPECT_EQ(schedule_from_text(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace heddle
