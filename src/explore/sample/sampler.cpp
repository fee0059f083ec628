#include "explore/sample/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "explore/sample/pct.hpp"
#include "explore/sample/pos.hpp"
#include "explore/sample/random_walk.hpp"

namespace heddle {

Sampler::Sampler(std::uint64_t runs, std::uint64_t seed) : random_(seed), runs_(runs), seed_(seed) {}

MaybeChoice Sampler::first_choice(const Program& program) {
  if (!begun_) {
    begun_ = true;
    decisions_ = 0;
    // A generator for each run: what one run draws does not shift the next one's numbers.
    random_ = Random(Random(seed_ ^ (report_.runs * 0xD1B54A32D192ED03U)).next());
    begin();
  }
  const ThreadSet& enabled = program.enabled();
  ThreadId thread = *enabled.first();
  if (enabled.after(thread)) {
    ++decisions_;
    thread = pick(program);
  }
  const Outcomes outcomes = program.thread(thread).outcomes;
  return Choice{thread, outcomes.first + static_cast<Outcome>(random_.below(outcomes.count))};
}

void Sampler::performed(const Program& program, const Event& event) { note(program, event); }

void Sampler::ended(const Program& program, bool /*cut*/) {
  ++report_.runs;
  report_.threads = std::max<std::uint64_t>(report_.threads, program.thread_count());
  report_.decisions = std::max(report_.decisions, decisions_);
  begun_ = false;
}

std::optional<Reduction::Branch> Sampler::backtrack(Prober& /*prober*/) {
  if (report_.runs >= runs_) return std::nullopt;
  return Branch{0, std::nullopt};
}

double pct_probability(const SampleReport& report, std::uint32_t depth) {
  const auto decisions = static_cast<double>(std::max<std::uint64_t>(report.decisions, 1));
  return 1 / (static_cast<double>(std::max<std::uint64_t>(report.threads, 1)) * std::pow(decisions, depth - 1.0));
}

std::unique_ptr<Sampler> make_sampler(const SampleChoice& choice) {
  switch (choice.kind) {
    case SampleKind::Random: return std::make_unique<RandomWalk>(choice.runs, choice.seed);
    case SampleKind::Pct: return std::make_unique<Pct>(choice.runs, choice.seed, choice.depth);
    case SampleKind::Pos: return std::make_unique<Pos>(choice.runs, choice.seed);
  }
  return nullptr;
}

bool Sampler::archive(Archive& archive) {
  archive(report_);
  return true;
}

}  // namespace heddle
