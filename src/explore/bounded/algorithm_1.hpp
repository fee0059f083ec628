// Algorithm 1 of Musuvathi & Qadeer: visits every happens-before state within the bound exactly once.
//
//     1  Hashtable H;                                          HbState::in_table
//     2  Search(initial state)
//     3  Search(s):
//     4    H := H + {s}                                        arrived
//     5    for t in E(s):                                      next_wanted
//     6      if next(s, t) not in H and CB(s, t) <= csb:
//     7        Search(next(s, t))
//
// The calls of Search that are not finished are the states of `open_`, the last one first. Steps beyond the bound stay
// with their states (`left_`) for the next bound: by then H still holds what it held, so that each state is visited
// once over all bounds.
#pragma once

#include "explore/bounded/hb_search.hpp"

namespace heddle {

class Algorithm1 final : public HbSearch {
 public:
  using HbSearch::HbSearch;

 private:
  void arrived(StateId state) override;
  void ended_in(StateId /*state*/) override {}
  std::optional<Wanted> next_wanted(Prober& prober) override;
  void enlarge(Prober& prober) override;
  [[nodiscard]] bool left_out() const override { return !left_.empty(); }
  void archive_algorithm(Archive& archive) override {
    archive(open_);
    archive(left_);
  }

  std::vector<StateId> open_;
  std::vector<StateId> left_;
};

}  // namespace heddle
