// Context-bounded searches against an oracle of their own.
//
// The oracle runs every interleaving that does not make more preemptions than another one with the same trace and the
// same last thread, on copies of ToyProgram: the least number of preemptions of every trace and of every prefix of one.
// It uses no happens-before states, no hashes and no recursion over predecessors.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "differential/oracle.hpp"
#include "explore/reductions.hpp"
#include "explore/stateless/thread_order.hpp"

namespace heddle::differential {

struct BoundedOracle {
  std::map<TraceName, std::uint32_t> traces;  // terminal ones, with the fewest preemptions
  std::map<TraceName, std::uint32_t> states;  // all, the terminal ones included
  std::vector<std::uint64_t> interleavings;   // that make so many preemptions
  bool limit_hit = false;

  [[nodiscard]] std::uint32_t largest_bound() const;  // that any state has
};

[[nodiscard]] BoundedOracle least_preemptions(const toy::ToyCode& code, toy::ToyOptions options = {},
                                              OracleLimits limits = {});

struct BoundedCase {
  BoundKind kind = BoundKind::Terminals;
  BoundRange bounds;
  ThreadOrder order = ThreadOrder::Lowest;
};

// What is wrong with the search's answer, in a sentence: terminal traces missing, too many, or run twice; executions
// with too many preemptions; for algorithm 1 other states; for plain search another number of executions.
[[nodiscard]] std::optional<std::string> bounded_complaint(const toy::ToyCode& code, toy::ToyOptions options,
                                                           const BoundedCase& tried, const BoundedOracle& oracle);

// Sleep sets with steps left out for the bound, the combination that the paper's introduction warns of: the terminal
// traces it finds.
[[nodiscard]] std::set<TraceName> naive_combination(const toy::ToyCode& code, toy::ToyOptions options,
                                                    std::uint32_t bound);

// The long run (differential_soak --bounded): prints a summary, and programs that show a fault, shrunk; the exit
// status.
int soak_bounded(std::uint64_t programs, std::uint64_t first_seed, bool stop_at_first);

}  // namespace heddle::differential
