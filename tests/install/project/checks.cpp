// heddle::check without a test framework. What it prints is compared by test_install.py.
#include <cstdio>
#include <heddle/heddle.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "counter.hpp"

namespace {

void print(const char* name, const heddle::CheckResult& result) {
  std::printf("%s: %s, %lu executions, %s\n", name, result.verdict.c_str(), result.executions,
              result.findings.empty() ? "nothing found" : result.findings.front().kind.c_str());
  if (!result.findings.empty()) {
    std::printf("%s at %d\n%s\n", name, result.findings.front().line, result.replay.c_str());
  }
  if (result.verdict == "error") std::printf("%s\n", result.text().c_str());
}

}  // namespace

int main(int argc, char**) {
  Counter counter;  // on the stack of the test: put back after each execution
  auto words = std::make_unique<std::vector<std::string>>(3, "word");
  const auto right = heddle::check([&] {
    std::thread other([&] { counter.add(); });
    counter.add();
    other.join();
    words->push_back("more");
    heddle_assert(counter.value() == 2 && words->size() == 4);
  });
  print("right", right);

  const auto wrong = heddle::check({"--keep-going"}, [&] {
    std::thread other([&] { counter.add_wrongly(); });
    counter.add_wrongly();
    other.join();
    heddle_assert(counter.value() == 2);  // BUG
  });
  print("wrong", wrong);
  // Takes the same way in the process that explores what follows.
  if (wrong.verified() || wrong.findings.at(0).kind != "assertion" || wrong.executions != 4) return 2;

  // The same place twice.
  for (int threads = 1; threads <= 2; ++threads) {
    const auto round = heddle::check([&] {
      std::vector<std::thread> others;
      for (int i = 0; i < threads; ++i) others.emplace_back([&] { counter.add(); });
      for (std::thread& other : others) other.join();
      heddle_assert(counter.value() == threads);
    });
    print("round", round);
  }

  std::mutex first;
  std::mutex second;
  const auto stuck = heddle::check({"--isolate=fork"}, [&] {
    std::thread other([&] {
      std::lock_guard one(first);
      std::lock_guard two(second);  // BUG
    });
    {
      std::lock_guard two(second);
      std::lock_guard one(first);
    }
    other.join();
  });
  print("stuck", stuck);

  const auto given_up = heddle::check({"--max-executions=1"}, [&] {
    std::thread other([&] { counter.add(); });
    counter.add();
    other.join();
  });
  print("given up", given_up);
  const auto mistaken = heddle::check({"--no-such-option"}, [] {});
  print("mistaken", mistaken);
  const auto ends = heddle::check([] { std::exit(0); });
  print("ends", ends);
  if (argc > 5) return 3;
  return counter.value() == 0 && words->size() == 3 ? 0 : 4;
}
