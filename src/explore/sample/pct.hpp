// PCT, the scheduler with a probabilistic guarantee (Burckhardt et al., ASPLOS 2010).
//
// Every thread has a random priority, and the highest that can run does. At d - 1 decisions, drawn among the k of a
// run, the thread that would run falls below all others, the i-th of them drawn below the others that fell. A bug of
// depth d, one that d ordering constraints suffice for, shows with probability at least 1 / (n * k^(d-1)).
//
// Only states in which more than one thread can run are decisions: elsewhere a fall changes nothing until the next one.
// k is the largest number of decisions seen in a run so far; the first run, which knows none, only finds out.
#pragma once

#include <vector>

#include "explore/sample/sampler.hpp"

namespace heddle {

class Pct final : public Sampler {
 public:
  Pct(std::uint64_t runs, std::uint64_t seed, std::uint32_t depth);

 private:
  struct Fall {
    std::uint64_t decision;
    std::uint64_t priority;  // below every thread's first one
  };
  ThreadId pick(const Program& program) override;
  void begin() override;
  [[nodiscard]] ThreadId highest(const Program& program);

  std::uint32_t depth_;
  std::vector<std::uint64_t> priorities_;  // per thread, for this run
  std::vector<Fall> falls_;                // in order
  std::size_t next_fall_ = 0;
};

}  // namespace heddle
