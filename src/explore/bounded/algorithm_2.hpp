// Algorithm 2 of Musuvathi & Qadeer: reaches every terminal happens-before state within the bound exactly once, and
// visits only the prefixes that it needs for that. H holds the states from which all terminal states have been reached.
//
//     2   Search(initial state)
//     3   Search(s):
//     4     if E(s) is empty:
//     5       Mark(s)                                          ended_in, next_wanted
//     7     else for t in E(s):
//     8       if next(s, t) not in H and CB(s, t) <= csb:
//     9         Search(next(s, t))                             next_wanted
//     15  Mark(s):                                             mark
//     16    H := H + {s}
//     17    for x in { x : next(x, t) = s and CB(x, t) <= csb }:
//     18      if for all t in E(x): next(x, t) in H or CB(x, t) > csb:        finished
//     19        Mark(x)
//
// Search(s) ends exactly when s is in H, so going down from the initial state again after each execution, by the first
// step that line 8 allows, is the same walk as the recursion's.
//
// Two things are put off, and neither adds an execution: predecessors that nobody has met are not marked (line 17), and
// a step that has not been taken is not known to lead into H (line 18). A state whose marking is thereby missed is
// marked when the walk finds nothing to do in it.
#pragma once

#include "explore/bounded/hb_search.hpp"

namespace heddle {

class Algorithm2 final : public HbSearch {
 public:
  using HbSearch::HbSearch;

 private:
  void arrived(StateId /*state*/) override {}
  void ended_in(StateId state) override { terminals_.push_back(state); }
  std::optional<Wanted> next_wanted(Prober& prober) override;
  void enlarge(Prober& prober) override;
  [[nodiscard]] bool left_out() const override { return left_out_; }
  void archive_algorithm(Archive& archive) override {
    archive(terminals_);
    archive(marked_);
    archive(left_out_);
  }

  // What line 8 allows in a state, first in order; nothing if there is nothing.
  [[nodiscard]] std::optional<HbStep> allowed(StateId state, Prober& prober);
  void mark(StateId state, Prober& prober);
  [[nodiscard]] bool finished(StateId state, Prober& prober);

  std::vector<StateId> terminals_;
  std::size_t marked_ = 0;  // so many of the terminal states have been
  bool left_out_ = false;
  std::vector<StateId> to_mark_;
};

}  // namespace heddle
