// What is asked of an SMT solver: seven things, so that another one can take its place.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "symbolic/term.hpp"

namespace heddle::symbolic {

enum class Answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };

struct SolverStatistics {
  std::uint64_t conflicts = 0;
  std::uint64_t decisions = 0;
  std::uint64_t propagations = 0;
};

class Solver {
 public:
  virtual ~Solver() = default;
  // From now on the term is true.
  virtual void require(Term term) = 0;
  // Whether all that is required can be true together with the assumptions, which hold for this question only.
  [[nodiscard]] virtual Answer check(std::span<const Term> assumptions) = 0;
  // The value of a term in the assignment behind the last answer Satisfiable.
  [[nodiscard]] virtual std::uint64_t value(Term term) = 0;
  // Over all questions so far.
  [[nodiscard]] virtual SolverStatistics statistics() const = 0;
  // Time for each further question; Unknown is the answer if it does not suffice.
  virtual void limit(std::chrono::milliseconds time) = 0;
  // From another thread: the question being answered, if there is one, is to be Unknown, as are all later ones. It may
  // be missed by a question that is just being put, so it is to be repeated.
  virtual void interrupt() = 0;
  [[nodiscard]] virtual std::string name() const = 0;
};

// Z3, or null if Heddle was built without it.
[[nodiscard]] std::unique_ptr<Solver> make_solver(const TermPool& pool);

}  // namespace heddle::symbolic
