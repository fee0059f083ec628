#include <heddle/catch2.hpp>
#include <thread>

#include "counter.hpp"

static Counter counter;

HEDDLE_TEST_CASE("right, in every order", "[explored]") {
  std::thread other([] { counter.add(); });
  counter.add();
  other.join();
  REQUIRE(counter.value() == 2);
}

HEDDLE_TEST_CASE("loses one", "[explored][wrong]", "--reduction=source") {
  std::thread other([] { counter.add_wrongly(); });
  counter.add_wrongly();
  other.join();
  CHECK(counter.value() == 2);  // BUG
}

TEST_CASE("explores within sections") {
  int value = 0;
  SECTION("the first") {
    const auto result = heddle::check([&] { ++value; });
    REQUIRE(result.verified());
  }
  SECTION("the second") {
    const auto result = heddle::check([&] { REQUIRE(++value == 2); });
    REQUIRE(result.verdict == "bug");
  }
  REQUIRE(value == 0);
}
