// Cartesian vectors (Gueta, Flanagan, Yahav, Sagiv: Cartesian partial-order reduction, SPIN 2007).
//
// A Cartesian vector of a state s has one prefix for each thread T: transitions that T takes alone from s. Only the
// last transitions of two prefixes may conflict (definition 2). Then it suffices to go on from the ends of the
// prefixes: every local state of every thread is met on the way (theorem 1).
//
// `calculate` is CalcCV (figure 6). It begins with one transition each (`begin`), and as long as some thread is
// extendable, takes the next transition of one of them, round robin (`extend`):
//   - if it conflicts with a transition other than the last of another prefix, it is rejected: T is done;
//   - if it conflicts with the last transition of another prefix, it is added, and both threads are done;
//   - if it leads back to a state that the prefix has passed, the prefix goes on for ever: it is added, T is done and
//   its
//     prefix infinite, and the search need not go on from its end.
// Where the paper's text leaves room, this follows what its table was computed with:
//   - the cycle test looks at the states between the first and the last;
//   - a thread at its end adds one self-loop without accesses and is infinite. Without that self-loop its last real
//     transition would still count as last, and another prefix could end in a conflict with it, though nobody goes on
//     from there: local states would be lost;
//   - counted are the transitions added, and of the rejected ones those that both read and write.
// Beyond the paper:
//   - a transition with several outcomes ends its prefix, which then has several ends. For each way to resolve all such
//     choices in advance, threads are deterministic and the vector is one of that system;
//   - a thread that has not started keeps its one self-loop, and a creation ends its prefix: the two conflict.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "explore/stateful/footprint.hpp"
#include "explore/stateful/state_store.hpp"

namespace heddle {

// The accesses of the transitions of a vector that are not last: who would a further one conflict with?
class AccessIndex {
 public:
  void clear();
  void add(ThreadId thread, const Footprint& footprint);
  // Whether some thread other than this one has an access that conflicts.
  [[nodiscard]] bool conflicts(ThreadId thread, const Footprint& footprint) const;

 private:
  struct Entry {
    ThreadId thread;
    ObjectAccess access;
  };
  std::unordered_map<std::uint64_t, std::vector<Entry>> by_object_;
  std::vector<ThreadId> totals_;
  std::vector<ThreadId> threads_;  // that have any
};

class CartesianVector {
 public:
  // Told about each step as it is taken: `steps` of the thread since the state the vector belongs to, this one
  // included.
  class Observer {
   public:
    virtual ~Observer() = default;
    // Whether the thread can go on; otherwise it is treated as stopped there.
    virtual bool stepped(ThreadId thread, std::uint32_t steps, Outcome outcome) = 0;
  };

  struct End {
    Outcome outcome;  // of the last step
    StateHandle state;
  };
  struct Prefix {
    ThreadId thread;
    std::uint32_t steps = 0;  // without self-loops
    bool infinite = false;
    bool at_rest = false;           // ends in self-loops: blocked, at its end or not started
    bool timed = false;             // blocked, but for a time-out
    bool idle = true;               // none of its steps changed anything that others see
    bool idle_loop = true;          // infinite: none of those that repeat did
    std::vector<End> ends;          // kept states; several if the last step had several outcomes
    Footprint last;                 // its last transition
    std::vector<StateHash> states;  // after each transition
    std::vector<bool> idle_steps;   // for each transition
    std::unordered_map<std::uint64_t, std::size_t>
        first_with;  // position of the first state with this (half of a) hash
  };

  explicit CartesianVector(Program& program) : program_(program) {}

  // For the state that the program is in, kept as `base`. Afterwards the ends of all prefixes belong to the caller.
  void calculate(StateHandle base, Observer& observer);

  [[nodiscard]] std::vector<Prefix>& prefixes() { return prefixes_; }
  [[nodiscard]] std::uint64_t transitions() const { return transitions_; }  // of the last vector, as the paper counts
  [[nodiscard]] std::uint64_t steps() const { return steps_; }              // performed for it
  // What the prefixes take, as far as it grows with their length.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Transition {
    Footprint footprint;
    std::vector<End> ends;
    bool step = false;  // not a self-loop
    bool creates = false;
    bool reads_and_writes = false;
    bool idle = true;
    bool ended = false;  // the thread cannot go on
    StateHash hash;      // of the state it leads to, if there is one
  };

  void begin(std::size_t thread);
  void settle_first();
  void extend(std::size_t thread);
  // The next transition of a thread from the end of its prefix.
  void take(Prefix& prefix);
  void add(Prefix& prefix);
  void close(Prefix& prefix, std::size_t loop_from);
  void give_up(Prefix& prefix);
  void drop(std::vector<End>& ends);
  void go_to(StateHandle state);
  // Position of the earlier state that the transition leads back to, among those between the first and the last.
  [[nodiscard]] std::size_t repeated(Prefix& prefix, const StateHash& hash);
  [[nodiscard]] bool same_state(const Prefix& prefix, std::size_t position);
  StateHash current_hash();

  static constexpr std::size_t kNowhere = ~std::size_t{0};

  Program& program_;
  StateHandle base_{};
  Observer* observer_ = nullptr;
  StateHandle live_{};  // the kept state that the program is in
  bool is_live_ = false;
  std::vector<Prefix> prefixes_;
  std::vector<bool> extendable_;
  AccessIndex index_;
  Transition next_;
  std::uint64_t transitions_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<StatePart> parts_;
};

}  // namespace heddle
