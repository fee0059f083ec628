// Which states of the current execution are kept as checkpoints, so that going back restores one and runs on from there
// instead of running the whole prefix.
//
// What is kept changes how long a search takes and nothing else, so it is decided by measurement. A search goes back a
// little, most of the time, and every so often further. A state kept as an execution runs on for the first time is
// mostly one that the next execution does not come to. So states are kept when the search goes back and has to run more
// steps than keeping a state costs: not where it goes back to, but half as many steps before that, for it will come
// back to states around there. On the way there are only as many as make going far back bearable: with s the cost of
// keeping a state, r that of a replayed step and n the number of new steps per execution, keeping every k-th state
// costs n/k * s, and k/2 * r are spent on the steps between the checkpoint and where the search goes on: least for k =
// sqrt(2 n s / r), if it went back to any state as often as to any other. And a state so near the beginning that
// running there is cheaper than copying is not kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/native/checkpoint.hpp"
#include "program/native/runtime.hpp"
#include "program/native/stopwatch.hpp"

namespace heddle::native {

class Checkpoints {
 public:
  static constexpr std::uint64_t kMeasured = 8;  // every so many executions

  void use(Backtrack mode) noexcept { mode_ = mode; }

  // None of the states kept can be gone back to.
  void forget() noexcept;
  // An execution goes on from this depth: what was kept behind it belongs to the last one.
  void forget_beyond(std::size_t depth) noexcept;
  // Whether anything would be kept at this depth.
  [[nodiscard]] bool due(std::size_t depth) const noexcept { return depth >= next_; }
  // The program has come to this depth. Keeps its state if that is likely to pay.
  void offer(std::size_t depth) {
    if (depth >= next_) keep(depth);
  }
  // The search has come to `depth` by running again what lies behind `from`. Where on the way a state should be kept,
  // if anywhere: `keep` is to be called there.
  [[nodiscard]] std::optional<std::size_t> wanted_between(std::size_t from, std::size_t depth) noexcept;
  void keep(std::size_t depth);
  // Puts the program into a state kept at this depth or before, and returns its depth; nothing if there is none, or
  // running from the beginning is cheaper.
  [[nodiscard]] std::optional<std::size_t> restore(std::size_t depth);

  // An execution ends; how many steps it took that no other had taken before.
  void execution_ended(std::size_t new_steps) noexcept;
  // Whether it is the turn of the current execution to be measured.
  [[nodiscard]] bool measuring() const noexcept { return executions_ % kMeasured == 0; }
  // What it took to restart the program, and to run so many steps of a prefix, if that was measured.
  void restarted(const Stopwatch& watch) noexcept { restart_.add(watch.nanoseconds()); }
  void ran_prefix(std::size_t steps, const Stopwatch& watch) noexcept {
    if (steps > 0) step_.add(watch.nanoseconds(), static_cast<double>(steps));
  }

 private:
  struct Kept {
    std::size_t depth = 0;
    Checkpoint state;
  };
  // An average in which old values fade. Now and then the processor is away while something is measured: no single
  // value counts for much.
  struct Average {
    double value;
    void add(std::optional<double> sample, double parts = 1) noexcept {
      if (sample) value += (std::min(*sample / parts, 2 * value + 1) - value) / 16;
    }
  };

  void thin_out() noexcept;
  void plan_spacing() noexcept;
  void plan_next() noexcept;

  Backtrack mode_ = Backtrack::Auto;
  std::vector<Kept> kept_;  // by depth; those from count_ on are only room for later ones
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::size_t next_ = 0;  // depth of the next one
  std::size_t spacing_ = 4;
  std::size_t shallowest_ = 1;
  std::size_t worth_ = 4;             // so many replayed steps cost as much as keeping a state
  std::uint64_t hopeless_until_ = 0;  // executions: what stands against keeping one is likely to do so for some time
  std::uint64_t executions_ = 0;
  std::size_t thinned_ = 1;  // factor by which there are fewer than would pay, for want of memory
  // In nanoseconds, of one each.
  Average save_{500};
  Average restore_{500};
  Average restart_{500};
  Average step_{70};
  Average new_steps_{8};
};

}  // namespace heddle::native
