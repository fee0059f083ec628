// Catch2: HEDDLE_TEST_CASE("name", "[tags]") { ... } is a test case whose body is explored under every schedule that
// matters. Further words are options of `heddle check`: HEDDLE_TEST_CASE("name", "[tags]", "--heap=reuse") { ... }
//
// Include it in place of <catch2/catch.hpp> (Catch2 2.13), also where CATCH_CONFIG_MAIN is defined. An assertion of
// Catch2 that fails in an exploration is a finding; Catch2's assertions are for one thread at a time, so make them
// after joining. heddle::check within ordinary test cases finds its way back to the running one with this header.
#pragma once

#if defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED) && !defined(CATCH_CONFIG_EXTERNAL_INTERFACES)
#error "include <heddle/catch2.hpp> before, or in place of, <catch2/catch.hpp>"
#endif
#ifndef CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#endif
#include <catch2/catch.hpp>
#include <heddle/heddle.hpp>

namespace heddle::detail {

// A test case's name as a pattern on Catch2's command line that matches nothing else.
inline std::vector<std::string> way_to_catch_test() {
  std::string pattern;
  for (const char c : Catch::getResultCapture().getCurrentTestName()) {
    if (std::string(",[]\\*\"").find(c) != std::string::npos) pattern += '\\';
    pattern += c;
  }
  return {pattern};
}

class CatchListener : public Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo&) override {
    if (heddle_unit_begins != nullptr) heddle_unit_begins();
  }
  bool assertionEnded(const Catch::AssertionStats& stats) override {
    const Catch::AssertionResult& result = stats.assertionResult;
    if (result.isOk() || heddle_unit_failed == nullptr) return true;
    std::string message = result.hasExpression() ? result.getExpressionInMacro() : std::string(result.getMessage());
    if (result.hasExpandedExpression()) message += " with expansion " + result.getExpandedExpression();
    heddle_unit_failed(message.c_str());
    return true;
  }
};

inline bool listen_to_catch() {
  way_to_running_test = way_to_catch_test;
  return true;
}
inline const bool listening_to_catch = listen_to_catch();
inline const Catch::ListenerRegistrar<CatchListener> catch_listener;

inline void run_catch_test(Options options, void (*body)()) {
  options.name = Catch::getResultCapture().getCurrentTestName();
  const CheckResult result = check(options, body);
  INFO(result.text());
  REQUIRE(result.verified());
}

}  // namespace heddle::detail

#define HEDDLE_TEST_CASE_NAMED(body, name, tags, ...)                                               \
  static void body();                                                                               \
  TEST_CASE(name, tags) { ::heddle::detail::run_catch_test(::heddle::Options{__VA_ARGS__}, body); } \
  static void body()
#define HEDDLE_TEST_CASE(...) HEDDLE_TEST_CASE_NAMED(INTERNAL_CATCH_UNIQUE_NAME(heddle_body_), __VA_ARGS__)
