// An estimate of how many executions a search will need, from random executions of its own.
//
// A search that runs one execution for each partial order walks over happens-before states (explore/bounded) from the
// initial one to the terminal ones. A random execution takes one way through them. Let it choose a step among those
// that are possible in s with probability p, and let b be the probability with which a walk backwards from the new
// state s' would undo just this step, among the threads of the frontier of s', whose last action nothing follows. Then
//
//     the mean of  b1/p1 * b2/p2 * ... * bn/pn  over random executions  =  the number of terminal states,
//
// whatever p and b are: summed over all ways to one terminal state, the b's are the probabilities of all walks back
// from it, which is 1. It is Knuth's estimator for trees (every b is 1 there), carried over to states that can be
// reached in several ways; with no reduction the tree is that of all interleavings, and Knuth's is used as it is.
//
// How far single values scatter depends on p and b. Three things keep them together:
//   - Steps that meet nothing that another thread touches in the same execution are taken at once; they are no choice.
//     Which objects are shared is found out in the first executions (`kPilot`), and so are
//   - groups of threads that share nothing with each other. A group is chosen in proportion to the steps it has left,
//     and undone in proportion to those it has taken: then the ways in which groups interleave cancel out.
//   - Within a group, threads are chosen in proportion to the steps they have left and to the b that their step would
//     have, as far as that can be foreseen.
//
// The values have a long tail: too few of them tend to a result that is too low. `Estimate` says how many count.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/archive.hpp"
#include "base/random.hpp"
#include "explore/engine.hpp"
#include "model/execution.hpp"

namespace heddle {

struct Estimate {
  std::uint64_t samples = 0;
  double executions = 0;      // that the whole search will need
  double relative_error = 0;  // standard error of that, as a share of it
  double effective = 0;       // so many samples of equal weight would be as good
  // Few samples count; or, of many, so small a part that those which would count most have hardly been met.
  [[nodiscard]] bool rough() const noexcept { return effective < 20 || effective * 20 < static_cast<double>(samples); }
};

class Estimator {
 public:
  // `interleavings`: all of them are counted, not partial orders.
  Estimator(Program& program, std::uint64_t seed, std::uint64_t max_steps, bool interleavings);

  // Runs the program once at random; it must be in the initial state. How many steps that took.
  std::uint64_t sample();
  // So that the samples to come are those that would have come.
  void archive(Archive& archive);
  // Nothing before the pilot is over. At least what has been run already.
  [[nodiscard]] std::optional<Estimate> estimate(std::uint64_t executions_so_far) const;

 private:
  static constexpr std::uint64_t kPilot = 16;
  // All that a thread does, as an object.
  static constexpr std::uint64_t steps_of(ThreadId thread) {
    constexpr std::uint64_t kStepsClass = 0xFE;
    return detail::object_key(kStepsClass, thread.value);
  }

  // What an execution has done so far.
  struct Run {
    Execution execution;
    std::vector<std::uint32_t> taken;              // shared steps, per thread
    std::vector<Execution::Position> last_shared;  // per thread
    std::vector<std::uint8_t> frontier;            // per thread: its last shared step is followed by none of another's
    double log_weight = 0;
  };
  // Who touched an object in one execution, and whether somebody changed it.
  struct Touched {
    std::vector<ThreadId> threads;
    bool changed = false;
  };
  using Objects = std::unordered_map<std::uint64_t, Touched>;

  bool run_once(Run& run, bool pilot);
  bool perform(Run& run, ThreadId thread, bool shared);
  static void note_objects(const Event& event, Objects& touched);
  void learn(const Run& run, const Objects& touched);
  [[nodiscard]] bool is_shared(const Event& event) const;
  [[nodiscard]] bool is_shared(const ThreadState& state, ThreadId thread) const;
  [[nodiscard]] std::optional<ThreadId> unshared_step() const;
  ThreadId choose(Run& run);
  [[nodiscard]] double foreseen_back(const Run& run, ThreadId thread);
  void weigh_back(Run& run, ThreadId thread);
  [[nodiscard]] std::size_t group(std::size_t thread) const;
  [[nodiscard]] double left(const Run& run, std::size_t thread) const;
  void grow(Run& run);

  Program& program_;
  Random random_;
  std::uint64_t max_steps_;
  bool interleavings_;
  std::uint64_t runs_ = 0;
  std::unordered_set<std::uint64_t> shared_;
  std::vector<std::size_t> groups_;  // per thread, a thread that it shares with: union-find
  std::vector<double> expected_;     // shared steps per thread, on average over the pilot
  std::vector<double> log_weights_;
  // Of the sample being drawn, and of one step of it: kept for their memory.
  Run run_;
  std::vector<std::pair<ThreadId, double>> shares_;
  std::vector<double> group_left_;
  std::vector<double> group_sum_;
  std::vector<Execution::Access> met_;
  std::vector<Execution::Position> before_;
  std::vector<Tick> known_;
};

}  // namespace heddle
