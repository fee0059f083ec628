#include "symbolic/possible.hpp"

#include "base/contract.hpp"

namespace heddle::symbolic {

std::vector<bool> possible(TermPool& pool, Solver& solver, const Question& ask, const std::vector<Term>& conditions) {
  std::vector<bool> found(conditions.size(), false);
  for (;;) {
    Term any = pool.truth(false);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      if (!found[i]) any = pool.disj(any, conditions[i]);
    }
    if (pool.is_false(any)) return found;
    const Answer answer = ask(any);
    if (answer == Answer::Unsatisfiable) return found;
    if (answer == Answer::Unknown) return std::vector<bool>(conditions.size(), true);
    bool progress = false;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      if (found[i] || solver.value(conditions[i]) == 0) continue;
      found[i] = progress = true;
    }
    HEDDLE_REQUIRE(progress, "a disjunction that is true has a part that is");
  }
}

}  // namespace heddle::symbolic
