// Terms: what is simplified has the value of what was written.
#include <gtest/gtest.h>

#include <random>

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
  const auto byte = [&](unsigned i) { return pool.ite(condition, pool.extract(x, 8 * i, 8), pool.extract(y, 8 * i, 8)); };
  EXPECT_EQ(pool.concat(byte(1), byte(0)), pool.ite(condition, x, y));
}

// A random term and its value under random numbers: once folded by hand as it is built, once by substituting at the end.
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
      const Term question =
          pool.conj(pool.equal(a, pool.constant(x, 8)), pool.equal(b, pool.constant(y, 8)));
      ASSERT_EQ(solver->check({&question, 1}), Answer::Satisfiable);
      EXPECT_EQ(solver->value(result), fold(static_cast<Op>(op), x, y, 8)) << "operation " << op << ": " << x << ", " << y;
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

}  // namespace
}  // namespace heddle::symbolic
