// Terms: what is simplified has the value of what was written.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "symbolic/solver.hpp"
#include "symbolic/term.hpp"

namespace heddle::symbolic {
namespace {

TEST(TermTest, WrapsAround) {
  TermPool pool;
  EXPECT_EQ(pool.add(pool.constant(0xFFFFFFFF, 32), 1), pool.constant(0, 32));
  EXPECT_EQ(fold(Op::SDiv, 0x80, 0xFF, 8), 0x80U);  // -128 / -1 does not fit in 8 bits
  EXPECT_EQ(fold(Op::SRem, 0x80, 0xFF, 8), 0U);
  EXPECT_EQ(fold(Op::AShr, 0x80, 9, 8), 0xFFU);
}

TEST(TermTest, BytesOfAWordMakeTheWord) {
  TermPool pool;
  const Term word = pool.variable("word", 32);
  Term again = pool.extract(word, 0, 8);
  for (unsigned i = 1; i < 4; ++i) again = pool.concat(pool.extract(word, 8 * i, 8), again);
  EXPECT_EQ(again, word);
}

TEST(TermTest, ChoicesBetweenWordsSurviveBytes) {
  TermPool pool;
  const Term condition = pool.variable("c", 1);
  const Term x = pool.variable("x", 16);
  const Term y = pool.variable("y", 16);
  const auto byte = [&](unsigned i) {
    return pool.ite(condition, pool.extract(x, 8 * i, 8), pool.extract(y, 8 * i, 8));
  };
  EXPECT_EQ(pool.concat(byte(1), byte(0)), pool.ite(condition, x, y));
}

// A random term and its value under random numbers: once folded by hand as it is built, once by substituting at the
// end.
TEST(TermTest, SimplifiedTermsHaveTheSameValue) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 3000; ++round) {
    TermPool pool;
    std::vector<Term> variables, terms;
    std::vector<std::uint64_t> numbers, values;
    for (int i = 0; i < 3; ++i) {
      variables.push_back(pool.variable("v", 8));
      numbers.push_back(random() % 4 == 0 ? random() & 0xFF : random() % 3);
      terms.push_back(variables.back());
      values.push_back(numbers.back());
    }
    for (int i = 0; i < 12; ++i) {
      const std::size_t a = random() % terms.size();
      const std::size_t b = random() % terms.size();
      const auto op = static_cast<Op>(static_cast<int>(Op::And) + static_cast<int>(random() % 16));
      if (random() % 4 == 0) {
        const std::uint64_t constant = random() % 4;
        terms.push_back(pool.constant(constant, 8));
        values.push_back(constant);
      } else if (op == Op::Ite || random() % 6 == 0) {
        const Term condition = pool.apply(Op::ULess, terms[a], terms[b]);
        terms.push_back(pool.ite(condition, terms[b], terms[0]));
        values.push_back(values[a] < values[b] ? values[b] : values[0]);
      } else if (random() % 5 == 0) {
        terms.push_back(pool.extract(pool.concat(terms[a], terms[b]), 4, 8));
        values.push_back((((values[a] << 8U) | values[b]) >> 4U) & 0xFF);
      } else {
        Term term = pool.apply(op, terms[a], terms[b]);
        terms.push_back(pool.resize(term, 8, false));
        values.push_back(fold(op, values[a], values[b], 8));
      }
    }
    Substitution numbers_in(pool);
    for (std::size_t i = 0; i < 3; ++i) numbers_in.bind(variables[i], pool.constant(numbers[i], 8));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const Term value = numbers_in(terms[i]);
      ASSERT_TRUE(pool.is_constant(value));
      ASSERT_EQ(pool.value(value), values[i]) << "round " << round << ": " << to_text(pool, terms[i]);
    }
  }
}

// Choices between constants, and what is computed from them, against their values for random conditions.
TEST(TermTest, SelectionsHaveTheSameValue) {
  std::mt19937_64 random(5);
  int equal = 0;
  for (int round = 0; round < 2000; ++round) {
    TermPool pool;
    std::vector<Term> conditions;
    std::vector<std::uint64_t> holds;
    for (int i = 0; i < 6; ++i) {
      conditions.push_back(pool.variable("c", 1));
      holds.push_back(random() % 2);
    }
    struct Known {
      Term term;
      std::uint64_t value;
    };
    std::vector<Known> terms;
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t number = random() % 4;
      terms.push_back({pool.constant(number, 8), number});
    }
    const auto any = [&] { return terms[random() % terms.size()]; };
    for (int i = 0; i < 14; ++i) {
      const Known a = any();
      const Known b = any();
      const std::size_t c = random() % conditions.size();
      const std::uint64_t number = random() % 5;
      const auto op = static_cast<Op>(static_cast<int>(Op::And) + static_cast<int>(random() % 11));
      switch (random() % 5) {
        case 0:
          terms.push_back({pool.apply(op, a.term, pool.constant(number, 8)), fold(op, a.value, number, 8)});
          break;
        case 1:
          terms.push_back({pool.extract(pool.extend(a.term, 16, true), 3, 8),
                           (static_cast<std::uint64_t>(sign_extended(a.value, 8)) >> 3U) & 0xFF});
          break;
        default: terms.push_back({pool.ite(conditions[c], a.term, b.term), holds[c] != 0 ? a.value : b.value}); break;
      }
    }
    Values known;
    const auto number_of = [&](Term variable) {
      return holds[static_cast<std::size_t>(std::find(conditions.begin(), conditions.end(), variable) -
                                            conditions.begin())];
    };
    for (const Known& a : terms) {
      ASSERT_EQ(value_of(pool, a.term, known, number_of), a.value)
          << "round " << round << ": " << to_text(pool, a.term);
      for (const Known& b : terms) {
        const Term same = pool.equal(a.term, b.term);
        ASSERT_EQ(value_of(pool, same, known, number_of), a.value == b.value ? 1U : 0U)
            << "round " << round << ": " << to_text(pool, a.term) << " == " << to_text(pool, b.term);
        equal += a.value == b.value && !pool.is_constant(same) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(equal, 0);
}

// An address in an array, for an index that is chosen: compared, not computed.
TEST(TermTest, ArithmeticGoesToTheLeavesOfASelection) {
  TermPool pool;
  const Term c = pool.variable("c", 1);
  const Term d = pool.variable("d", 1);
  const Term index = pool.ite(c, pool.constant(3, 8), pool.ite(d, pool.constant(4, 8), pool.constant(7, 8)));
  const Term address = pool.add(pool.extend(index, 64, false), 1000);
  EXPECT_EQ(pool.equal(address, pool.constant(1003, 64)), c);
  EXPECT_TRUE(pool.is_false(pool.equal(address, pool.constant(1005, 64))));
  const Term other = pool.ite(d, pool.constant(1003, 64), pool.constant(1001, 64));
  EXPECT_EQ(pool.equal(address, other), pool.conj(c, d));
}

// What the solver says about a term is what folding says.
TEST(SolverTest, AgreesWithFolding) {
  std::mt19937_64 random(11);
  for (int op = static_cast<int>(Op::And); op <= static_cast<int>(Op::SLess); ++op) {
    TermPool pool;
    const std::unique_ptr<Solver> solver = make_solver(pool);
    ASSERT_NE(solver, nullptr) << "built without a solver";
    const Term a = pool.variable("a", 8);
    const Term b = pool.variable("b", 8);
    const Term result = pool.apply(static_cast<Op>(op), a, b);
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t x = random() & 0xFF;
      const std::uint64_t y = i % 2 == 0 ? random() & 0xFF : random() % 9;
      const Term question = pool.conj(pool.equal(a, pool.constant(x, 8)), pool.equal(b, pool.constant(y, 8)));
      ASSERT_EQ(solver->check({&question, 1}), Answer::Satisfiable);
      const std::uint64_t expected = fold(static_cast<Op>(op), x, y, 8);
      EXPECT_EQ(solver->value(result), expected) << "operation " << op << ": " << x << ", " << y;
      const Term another = pool.differ(result, pool.constant(expected, pool.width(result)));
      const Term wrong = pool.conj(question, another);
      EXPECT_EQ(solver->check({&wrong, 1}), Answer::Unsatisfiable) << "operation " << op << ": " << x << ", " << y;
    }
  }
}

TEST(Terms, BuildingEndsWhenItsTimeIsUp) {
  TermPool pool;
  Term sum = pool.variable("x", 32);
  const auto build = [&] {
    for (int i = 0; i < 10'000; ++i) sum = pool.apply(Op::Add, sum, pool.variable("y", 32));
  };
  EXPECT_NO_THROW(build());
  pool.limit(TermPool::Clock::now() - std::chrono::seconds(1));
  EXPECT_THROW(build(), OutOfTime);
  pool.limit(TermPool::Clock::time_point::max());
  EXPECT_NO_THROW(build());
}

// Whenever it comes, and whatever is asked after it: between two questions, or in the middle of one that is not
// answered soon (two factors of a product of two large primes).
TEST(SolverTest, AnInterruptedSolverOnlySaysUnknown) {
  for (int round = 0; round < 40; ++round) {
    TermPool pool;
    const std::unique_ptr<Solver> solver = make_solver(pool);
    ASSERT_NE(solver, nullptr) << "built without a solver";
    const Term x = pool.variable("x", 64);
    const Term y = pool.variable("y", 64);
    const auto below = [&](Term term, std::uint64_t limit) {
      return pool.apply(Op::ULess, term, pool.constant(limit, 64));
    };
    solver->require(below(x, std::uint64_t{1} << 32U));
    solver->require(below(y, std::uint64_t{1} << 32U));
    const Term hard =
        pool.equal(pool.apply(Op::Mul, x, y), pool.constant(std::uint64_t{4294967291} * std::uint64_t{4294967279}, 64));
    std::atomic<bool> asked = false;
    std::atomic<bool> over = false;
    std::thread interrupter([&] {
      while (!asked) std::this_thread::yield();
      // Microseconds, not turns of the scheduler: on a busy machine these are so long that the answer is found first.
      for (int i = 0; i < round * 20'000; ++i) static_cast<void>(asked.load());
      while (!over) solver->interrupt();
    });
    asked = true;
    EXPECT_EQ(solver->check({&hard, 1}), Answer::Unknown) << "round " << round;
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Term z = pool.variable("z", 64);
      solver->limit(std::chrono::milliseconds(1000));
      solver->require(pool.disj(below(z, i), pool.equal(pool.apply(Op::Mul, z, x), y)));
      EXPECT_EQ(solver->check({}), Answer::Unknown) << "round " << round;
    }
    over = true;
    interrupter.join();
  }
}

}  // namespace
}  // namespace heddle::symbolic
