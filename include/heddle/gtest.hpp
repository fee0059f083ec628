// GoogleTest: HEDDLE_TEST(Suite, Name) { ... } is a test whose body is explored under every schedule that matters.
// Further words are options of `heddle check`: HEDDLE_TEST(Suite, Name, "--heap=reuse") { ... }
//
// An assertion of GoogleTest that fails in an exploration is a finding. heddle::check within ordinary tests finds its
// way back to the running test with this header.
#pragma once

#include <gtest/gtest.h>
#include <heddle/heddle.hpp>

namespace heddle::detail {

inline std::vector<std::string> way_to_google_test() {
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return {};
  return {std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name(),
          "--gtest_also_run_disabled_tests"};
}

class GoogleTestListener : public ::testing::EmptyTestEventListener {
 public:
  void OnTestStart(const ::testing::TestInfo&) override {
    if (heddle_unit_begins != nullptr) heddle_unit_begins();
  }
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed() || heddle_unit_failed == nullptr) return;
    heddle_unit_failed(result.summary());
  }
};

inline bool listen_to_google_test() {
  ::testing::UnitTest::GetInstance()->listeners().Append(new GoogleTestListener);
  way_to_running_test = way_to_google_test;
  return true;
}
inline const bool listening_to_google_test = listen_to_google_test();

inline void run_google_test(Options options, const char* name, void (*body)(), const char* file, int line) {
  options.name = name;
  const CheckResult result = check(options, body);
  if (result.verified()) return;
  const bool located = !result.findings.empty() && !result.findings.front().file.empty();
  ADD_FAILURE_AT(located ? result.findings.front().file.c_str() : file, located ? result.findings.front().line : line)
      << result.text();
}

}  // namespace heddle::detail

#define HEDDLE_TEST(suite, test, ...)                                                       \
  static void heddle_body_of_##suite##_##test();                                            \
  TEST(suite, test) {                                                                       \
    ::heddle::detail::run_google_test(::heddle::Options{__VA_ARGS__}, #suite "." #test,     \
                                      heddle_body_of_##suite##_##test, __FILE__, __LINE__); \
  }                                                                                         \
  static void heddle_body_of_##suite##_##test()
