// Livelocks: somebody runs for ever, nobody changes anything, and so nobody will ever get out.
//
// A step is idle if nobody else can see that it was taken: it only reads, or writes what was there (footprint.hpp). A
// livelock is a state from which every thread is blocked for good, at its end, or spins: all its steps, now and later,
// are idle, and at least one thread spins. Such states are those from which all explored transitions are idle and lead
// to such states again. A search notes which states have idle transitions only (`note`), and at the end `candidates`
// takes away, again and again, those that lead to a state that is not among them. What a reduction left out can only
// make candidates of too many, so each is tried out (`lasso`): since idle steps change nothing shared, it suffices to
// look at the threads one by one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "explore/stateful/growing_array.hpp"
#include "explore/stateful/shared_lock.hpp"
#include "explore/stateful/state_store.hpp"

namespace heddle {

class IdleGraph {
 public:
  IdleGraph(const Processes& processes, std::uint64_t most_bytes);

  // A state was expanded, and every transition was idle and led to one of these; it has at least one.
  void note(StateNumber state, std::span<const StateNumber> successors);
  // A state that may have been noted has a transition that is not idle.
  void note_other(StateNumber state);

  [[nodiscard]] std::vector<StateNumber> candidates() const;
  [[nodiscard]] std::uint64_t bytes() const { return edges_.bytes(); }
  void archive(Archive& archive) { edges_.archive(archive); }

 private:
  struct Edge {
    StateNumber from;
    StateNumber to;  // kNoState: to a state that is none, or not idle
  };
  void add(Edge edge);

  const Processes& processes_;
  GrowingArray<std::uint32_t> lock_;
  GrowingArray<Edge> edges_;
};

// A way into a livelock and round it once, from the state that the program is in.
struct Lasso {
  std::vector<Choice> stem;
  std::vector<Choice> loop;
  ThreadSet spinning;
};
[[nodiscard]] std::optional<Lasso> lasso(Program& program);

// What is said about it: of the threads that spin, in a loop of so many steps together.
[[nodiscard]] Finding livelock_finding(const ThreadSet& spinning, std::size_t steps);

}  // namespace heddle
