// Sampling: executions drawn at random, each from the initial state to its end, for programs that are too large to be
// searched. A sample covers nothing; PCT alone says how likely it is to meet a bug.
//
// The same seed draws the same executions: run r depends on the seed, on r and (PCT) on the runs before it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "base/random.hpp"
#include "explore/engine.hpp"

namespace heddle {

// X(name, text on the command line)
#define HEDDLE_SAMPLE_KINDS(X) \
  X(Random, "random")          \
  X(Pct, "pct")                \
  X(Pos, "pos")

enum class SampleKind : std::uint8_t {
#define HEDDLE_X(name, text) name,
  HEDDLE_SAMPLE_KINDS(HEDDLE_X)
#undef HEDDLE_X
};

inline constexpr std::array kSampleNames{
#define HEDDLE_X(name, text) std::string_view{text},
    HEDDLE_SAMPLE_KINDS(HEDDLE_X)
#undef HEDDLE_X
};

struct SampleChoice {
  SampleKind kind = SampleKind::Random;
  std::uint64_t runs = 1000;
  std::uint64_t seed = 1;
  std::uint32_t depth = 3;  // PCT: of the bugs that are looked for
};

// What the sample came to so far.
struct SampleReport {
  std::uint64_t runs = 0;
  std::uint64_t threads = 0;    // most in one run
  std::uint64_t decisions = 0;  // most in one run: states in which more than one thread could run
};

class Sampler : public Reduction {
 public:
  Sampler(std::uint64_t runs, std::uint64_t seed);

  MaybeChoice first_choice(const Program& program) final;
  void performed(const Program& program, const Event& event) final;
  void ended(const Program& program, bool cut) final;
  std::optional<Branch> backtrack(Prober& prober) final;
  // A run has all it needs by its number and the report.
  bool archive(Archive& archive) final;

  [[nodiscard]] const SampleReport& report() const noexcept { return report_; }

 protected:
  // The thread to run among several.
  virtual ThreadId pick(const Program& program) = 0;
  // A run begins; the last one has been entered in the report.
  virtual void begin() {}
  virtual void note(const Program& /*program*/, const Event& /*event*/) {}

  Random random_;
  std::uint64_t decisions_ = 0;  // of the run so far

 private:
  SampleReport report_;
  std::uint64_t runs_;
  std::uint64_t seed_;
  bool begun_ = false;
};

// The probability that PCT with this depth meets a bug of that depth in one run: 1 / (n * k^(depth - 1)), for n threads
// and k decisions (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs, ASPLOS 2010).
[[nodiscard]] double pct_probability(const SampleReport& report, std::uint32_t depth);

[[nodiscard]] std::unique_ptr<Sampler> make_sampler(const SampleChoice& choice);

}  // namespace heddle
