// Optimal-DPOR (Abdulla, Aronis, Jonsson, Sagonas 2014, algorithm 2), with blocking operations and data choices.
//
// The story. Run the program to the end along any schedule. Then look at every race of that execution: a pair (e, e')
// that could have happened in the other order. To see that order, everything that does not happen after e, followed by
// e', must be run from the state before e: that is the word v = notdep(e, E).e'. Unless an execution with it has been
// explored from there (a sleeping choice can begin v) or is planned already (the wakeup tree leads to it), v is added
// to the wakeup tree of that state. When all races have been looked at, go back to the deepest state whose tree has
// something left, and run that.
//
// The wakeup tree holds whole words, not first steps, so no execution is started that sleep sets would have to stop:
// each Mazurkiewicz trace is explored exactly once and nothing is ever blocked: that is the paper's theorem of
// optimality.
//
// What must be right, and is tested by breaking it (tests/mutation/mutants.txt):
//  - notdep is taken over the complete execution, also behind e';
//  - races are those of all events of the execution, also of its old part: the words differ with the new part;
//  - operations pending at the end (a lock nobody will release) have races too;
//  - the tests against sleepers and tree are by weak initials, and the tree is descended to a leaf.
//
// Joins. Most executions end with joins: of ten threads, ten. A join waits for a thread's end, with which it has no
// race; so it is left until nothing else can be done, and if nobody has touched the joined thread in another way
// (detached it, done what depends on everything), the search does not look at it before something other than such a
// join follows it. If nothing does, because all threads have ended, the joins were the last events of
// their threads: no race has to do with them, no event happens after them but other joins, and a word without them
// leads to the same executions (they follow in any case).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/engine.hpp"
#include "explore/stateless/frames.hpp"
#include "explore/stateless/pending.hpp"
#include "explore/stateless/races.hpp"
#include "explore/stateless/wakeup_tree.hpp"
#include "explore/stateless/word.hpp"
#include "model/execution.hpp"

namespace heddle {

class OptimalReduction final : public Reduction {
 public:
  explicit OptimalReduction(ThreadOrder order = ThreadOrder::Lowest, bool self_check = false)
      : self_check_(self_check), frames_(order), path_(1, WakeupTree::kNone), word_(execution_) {}

  MaybeChoice first_choice(const Program& program) override;
  [[nodiscard]] bool calculates() const override { return false; }
  void performed(const Program& program, const Event& event) override;
  bool joins_next(const Event& event, const Operation& join) override;
  void ended(const Program& program, bool cut) override;
  std::optional<Branch> backtrack(Prober& prober) override;
  bool archive(Archive& archive) override;

 private:
  // A race of an event, found when the event was performed. Where it leads depends on what follows, so that it is
  // looked at again in every execution; whether it can be reversed and what the second event then does depend on
  // nothing that comes later, because that is independent of both.
  struct Reversal {
    Execution::Position first;
    bool same;               // as it was performed: `last` is its position; if not, its number in others_
    std::uint32_t last;      // the second event as performed there
    Execution::Place place;  // of that, if it is known
  };
  struct Examined {
    std::uint32_t first_reversal;
    std::uint32_t first_other;
    std::uint64_t execution;  // at the end of which it was examined: it has been the same event since
    bool dropped;             // some reversal leaves steps out, others each time: found anew in every execution
  };

  // Why the last race with an event that was looked at needed nothing new, or what was planned for it. What does not
  // depend on the second event is the same for the other races of the execution with that event; and in the next
  // execution it is likely to be the same again.
  struct Settled {
    static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
    std::uint64_t execution = 0;      // at the end of which the race was looked at
    std::uint32_t sleeper = kNobody;  // began the word
    ForeignLetters begin;
    WakeupTree::Trail trail;  // of the word, if it was looked for in the tree
  };

  StateFrame& push_frame();
  // Joins that nothing has followed yet are withheld from the execution: see above.
  [[nodiscard]] bool can_withhold(const ThreadState& state) const;
  [[nodiscard]] MaybeChoice join_alone(const Program& program);
  void put_in_withheld();
  void detect_races(Prober& prober);
  void examine(std::size_t event, Races& races, Prober& prober);
  void plan_races_of(std::size_t event, Races& races);
  void add_alternatives(std::size_t event, Prober& prober);
  void add_other(Execution::Position first, const Event& last);
  void plan(const Reversal& reversal);
  void settle(const Reversal& reversal, Settled& settled);
  // Whether what settled a race with the event in the last execution that had one settles this one.
  [[nodiscard]] bool settled_as_before(const Reversal& reversal, Settled& settled);
  void plan(const ReversedRace& race);
  // After each race, if the search checks itself (optimal_check.cpp): its word begins with a sleeper or with a leaf.
  void check_settled(const Reversal& reversal) const;
  void check_settled(std::size_t first, const ListedWord& word) const;
  // Before a word is planned: no sleeper begins it.
  void check_unplanned(std::size_t first, const ListedWord& word) const;
  [[nodiscard]] ListedWord by_definition(const Reversal& reversal) const;
  [[nodiscard]] bool sleeper_begins(std::size_t first, const ListedWord& word) const;
  // The execution is that of the first `depth` choices from now on.
  void forget_beyond(std::size_t depth);
  // Whether an execution that begins with the sleeper covers notdep(first).last; if so, and if the sleeper is not of
  // notdep(first), it is added to the foreign letters.
  [[nodiscard]] bool covers(const Sleeper& sleeper, const Reversal& reversal, ForeignLetters& foreign) const;
  [[nodiscard]] const Event& last(const Reversal& reversal) const {
    return reversal.same ? execution_[reversal.last] : others_[reversal.last];
  }
  [[nodiscard]] static Execution::Position last_position(const Reversal& reversal) noexcept {
    return reversal.same ? reversal.last : Execution::kNone;
  }
  NotdepWord& assign_word(const Reversal& reversal, std::size_t from) {
    word_.assign(reversal.first, last(reversal), reversal.place, last_position(reversal), from);
    return word_;
  }

  bool self_check_;
  Execution execution_;
  Frames frames_;                          // sleep(E') for every prefix E' of the execution
  WakeupTree tree_;                        // wut(E') for every prefix E': see path_
  std::vector<WakeupTree::Node> path_;     // the node of each prefix, and of the choice being made
  std::vector<Event> withheld_;            // performed behind the execution
  bool withholding_ = false;               // the choice being made is a join to be withheld
  std::size_t passed_over_ = 0;            // how often, in a row, a join could have been taken and was not
  std::vector<PendingOperation> pending_;  // at the end of the execution
  std::vector<Examined> examined_;         // events whose races have been found
  std::vector<Reversal> reversals_;        // of those, in order
  std::vector<Event> others_;              // what second events become by them
  std::size_t dropped_ = 0;                // how many of them have races found anew
  std::vector<Settled> settled_;           // by the position of the first event
  std::uint64_t looked_at_ = 0;            // executions whose races have been detected
  std::size_t common_ = 0;                 // events that the last of them has in common with the one before
  NotdepWord word_;
  std::optional<Races> races_;  // once there is somebody to ask
};

}  // namespace heddle
