// Random walk: any thread that can run, with equal probability, at every step.
#pragma once

#include "explore/sample/sampler.hpp"

namespace heddle {

class RandomWalk final : public Sampler {
 public:
  using Sampler::Sampler;

 private:
  ThreadId pick(const Program& program) override {
    const ThreadSet& enabled = program.enabled();
    ThreadId thread = *enabled.first();
    for (std::uint64_t skip = random_.below(enabled.size()); skip > 0; --skip) thread = *enabled.after(thread);
    return thread;
  }
};

}  // namespace heddle
