// Dynamic partial-order reduction with persistent sets (Flanagan & Godefroid 2005).
//
// The story. In every state of an execution look at the next operation of every thread p, enabled or not. If an earlier
// event i conflicts with it, could have been enabled together with it, and is not ordered before p anyway, then p might
// have come before i: a backtracking point is needed in the state before i. If p was enabled there, p is added to the
// threads explored from it; if not, one whose step p needs; if none is known, all. The sets that arise are persistent.
//
// The printed figures differ in how i is found and what is added:
//   General          figure 3: the last such i by going through the whole execution; the set E of line 5
//   Clocks           figure 4: the same i by clock vectors; p or, if it was not enabled, everything
//   LastAccess       figure 5: i is the last access to the object (for a lock the last acquire); one object per
//                    operation, all accesses to it conflict
//   ReadWriteClocks  figure 5 with its refinement of section 4.2: reads commute, so that a write looks at all reads
// All four are used without sleep sets: added to them, sleep sets lose executions (`x=1; y++ | y++ | y=1; x=1` has 9
// traces, of which 8 are found): the thread that was added is asleep, and its subtree, which would have closed the
// persistent set, is never entered.
//   Combined         sound with sleep sets (algorithms.md 5): every immediate conflict is taken, and what is added is a
//                    thread that can begin what led to p's operation.
// Everywhere a thread already in the set is preferred (the first optimisation of section 3).
//
// With static sets (the end of section 4): what is enabled in lines 5, 7 and 10 becomes the threads of a persistent set
// that the static analysis finds in that state, which the backtracking points then refine. As printed this loses
// executions where the analysis knows better than line 4 what cannot be enabled together: if the set before the last
// conflict leaves out all that could come first there, nothing is added, and what lies behind that conflict is never
// looked at. Here it is (combined only). And an execution goes on until everybody is asleep, not only the static set:
// its conflicts are needed.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "explore/engine.hpp"
#include "explore/stateless/conflicts.hpp"
#include "explore/stateless/frames.hpp"
#include "explore/stateless/pending.hpp"
#include "explore/static_sets.hpp"

namespace heddle {

enum class PersistentVariant : std::uint8_t { Combined, General, Clocks, LastAccess, ReadWriteClocks };
inline constexpr std::array<std::string_view, 5> kPersistentVariants{"combined", "general", "clocks", "last-access",
                                                                     "read-write-clocks"};

struct PersistentOptions {
  PersistentVariant variant = PersistentVariant::Combined;
  bool sleep_sets = true;
};

class PersistentReduction final : public Reduction {
 public:
  explicit PersistentReduction(PersistentOptions options = {}, ThreadOrder order = ThreadOrder::Lowest,
                               std::unique_ptr<StaticSets> sets = nullptr)
      : options_(options),
        execution_(options.variant == PersistentVariant::LastAccess),
        conflicts_(execution_),
        frames_(order),
        sets_(std::move(sets)) {}

  MaybeChoice first_choice(const Program& program) override;
  [[nodiscard]] bool calculates() const override { return false; }
  void performed(const Program& program, const Event& event) override;
  std::optional<Branch> backtrack(Prober& prober) override;
  bool archive(Archive& archive) override;

 private:
  void add_backtracking_points(const PendingOperation& next);
  void add_for_last(const PendingOperation& next);
  void add_for_all(const PendingOperation& next);
  // What is added to the state before event i for thread p.
  void add_needed(std::size_t i, const PendingOperation& next);  // figure 3, line 5
  void add_if_enabled(std::size_t i, ThreadId thread);           // figures 4 and 5, lines 5-7
  [[nodiscard]] std::vector<ThreadId> initials_of(std::size_t i, const PendingOperation& next) const;  // combined
  void add_one_of(std::size_t i, const std::vector<ThreadId>& threads, ThreadId preferred);
  void add_all(std::size_t i);
  [[nodiscard]] bool meets(const PendingOperation& next, std::size_t i) const;
  [[nodiscard]] std::optional<std::size_t> last_by_traversal(const PendingOperation& next) const;

  PersistentOptions options_;
  Execution execution_;
  Conflicts conflicts_;
  Frames frames_;
  std::unique_ptr<StaticSets> sets_;
  std::vector<Execution::Tick> past_;  // of the operation looked at: what led to it
};

}  // namespace heddle
