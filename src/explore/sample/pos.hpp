// POS, partial order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018).
//
// Every pending operation has a random priority; the highest that can run does. Then the operations that are in
// conflict with the one performed draw again, and so does the next operation of its thread: the order of each pair that
// matters is decided afresh, and independent operations do not disturb that.
#pragma once

#include <vector>

#include "explore/sample/sampler.hpp"

namespace heddle {

class Pos final : public Sampler {
 public:
  using Sampler::Sampler;

 private:
  ThreadId pick(const Program& program) override;
  void begin() override { priorities_.clear(); }
  void note(const Program& program, const Event& event) override;
  void know_threads(const Program& program);

  std::vector<std::uint64_t> priorities_;  // of the threads' pending operations
};

}  // namespace heddle
