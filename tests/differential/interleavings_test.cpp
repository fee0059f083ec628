// Depth-first search against counts that were made another way: closed formulas and dynamic programming over program
// counters, which share no code with the searches.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "explore_all.hpp"

namespace heddle {
namespace {

using namespace toy;

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// main creates `workers` threads, each of `operations` atomic operations, then joins them in order. Counted by
// recursion over how far each is: main's steps 0..workers-1 create, the rest join; a join needs its worker at the end.
class CreateJoinCount {
 public:
  CreateJoinCount(unsigned workers, unsigned operations) : workers_(workers), operations_(operations) {}
  std::uint64_t count() { return from(0, std::vector<unsigned>(workers_, 0)); }

 private:
  std::uint64_t from(unsigned main, std::vector<unsigned> done) {
    const auto key = std::make_pair(main, done);
    if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
    std::uint64_t total = 0;
    bool over = true;
    const bool may_join = main >= workers_ && main < 2 * workers_ && done[main - workers_] == operations_;
    if (main < workers_ || may_join) {
      total += from(main + 1, done);
      over = false;
    }
    for (unsigned w = 0; w < workers_; ++w) {
      if (w >= main || done[w] == operations_) continue;
      ++done[w];
      total += from(main, done);
      --done[w];
      over = false;
    }
    return counts_[key] = over ? 1 : total;
  }
  unsigned workers_;
  unsigned operations_;
  std::map<std::pair<unsigned, std::vector<unsigned>>, std::uint64_t> counts_;
};

ToyCode create_join(unsigned workers, unsigned operations) {
  ToyCode code;
  code.threads.resize(workers + 1);
  for (unsigned w = 1; w <= workers; ++w) code.threads[0].push_back(create(w));
  for (unsigned w = 1; w <= workers; ++w) code.threads[0].push_back(join(w));
  for (unsigned w = 1; w <= workers; ++w) code.threads[w].assign(operations, fetch_add(1, 1));
  return code;
}

TEST(Interleavings, TwoThreadsAreBinomial) {
  for (unsigned a = 1; a <= 5; ++a) {
    for (unsigned b = 1; b <= 5; ++b) {
      const ToyCode code{{Thread(a, fetch_add(1, 1)), Thread(b, fetch_add(2, 1))}, {}};
      EXPECT_EQ(explore_all(code).result.statistics.executions, binomial(a + b, a));
    }
  }
}

TEST(Interleavings, ThreeThreadsOfThreeAreMultinomial) {
  // (3*3)! / (3!)^3 = 1680
  const ToyCode code{{Thread(3, write(1, 1)), Thread(3, write(2, 1)), Thread(3, write(3, 1))}, {}};
  EXPECT_EQ(explore_all(code).result.statistics.executions, 1680U);
}

TEST(Interleavings, CreatesAndJoinsIncluded) {
  for (unsigned k = 1; k <= 5; ++k) {
    EXPECT_EQ(explore_all(create_join(2, k)).result.statistics.executions, CreateJoinCount(2, k).count()) << k;
  }
  for (unsigned k = 1; k <= 2; ++k) {
    EXPECT_EQ(explore_all(create_join(3, k)).result.statistics.executions, CreateJoinCount(3, k).count()) << k;
  }
}

TEST(Interleavings, CountsDoNotDependOnTheOrderInWhichThreadsAreTried) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    ToyCode code;
    code.threads.resize(2 + random() % 2);
    for (Thread& thread : code.threads) {
      const std::uint32_t m = 1 + random() % 2;
      switch (random() % 4) {
        case 0: thread = {lock(m), write(5, 1), unlock(m)}; break;
        case 1: thread = {on(Code::TryLock, m), jump_if(0, 0, 4), write(5, 2), unlock(m)}; break;
        case 2: thread = {lock(1), cond_timed_wait(7, 1), unlock(1)}; break;
        default: thread = {read(5), jump_if(0, 0, 3), signal(7)}; break;
      }
    }
    const Explored low = explore_all(code, {}, {}, ThreadOrder::Lowest);
    const Explored high = explore_all(code, {}, {}, ThreadOrder::Highest);
    EXPECT_EQ(low.result.statistics.executions, high.result.statistics.executions) << round;
    EXPECT_EQ(low.findings.size(), high.findings.size()) << round;
  }
}

}  // namespace
}  // namespace heddle
