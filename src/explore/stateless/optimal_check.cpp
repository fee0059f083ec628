// What the optimal search owes to each race (algorithm 2, lines 5 to 8), by the definitions and nothing else.
//
// The search has several ways to see that a race needs nothing new: what settled another race with the same event, what
// settled it in the execution before, events that share no object. Each is right only under conditions, and leaving one
// of them out may cost nothing here and now: another execution has the race again. So a search that checks itself asks
// after every race whether the word is where the paper wants it, and where the search takes it to be, with words as
// lists and dependence by dependent().
#include "base/contract.hpp"
#include "explore/stateless/optimal.hpp"

namespace heddle {

// What is taken to have settled the race must have, not only something else.
void OptimalReduction::check_settled(const Reversal& reversal) const {
  const ListedWord word = by_definition(reversal);
  check_settled(reversal.first, word);
  const Settled& settled = settled_[reversal.first];
  if (settled.sleeper != Settled::kNobody) {
    HEDDLE_REQUIRE(word.weak_initial(frames_.sleeper(settled.sleeper).event),
                   "a sleeper is taken to cover a race that it does not");
  } else {
    HEDDLE_REQUIRE(tree_.ends_at_leaf_of(settled.trail, word), "a leaf is taken to cover a race that it does not");
  }
}

void OptimalReduction::check_settled(std::size_t first, const ListedWord& word) const {
  HEDDLE_REQUIRE(sleeper_begins(first, word) || tree_.has_leaf_of(path_[first], word),
                 "a race was passed over that no sleeper and no leaf of the wakeup tree covers");
}

void OptimalReduction::check_unplanned(std::size_t first, const ListedWord& word) const {
  HEDDLE_REQUIRE(!sleeper_begins(first, word), "what a sleeper covers was planned");
}

ListedWord OptimalReduction::by_definition(const Reversal& reversal) const {
  ListedWord word;
  for (std::size_t k = reversal.first + std::size_t{1}; k < execution_.size(); ++k) {
    if (!execution_.happens_before(reversal.first, k)) word.append(execution_[k]);
  }
  word.append(last(reversal));
  return word;
}

bool OptimalReduction::sleeper_begins(std::size_t first, const ListedWord& word) const {
  const std::vector<std::uint32_t>& asleep = frames_[first].asleep;
  return std::any_of(asleep.begin(), asleep.end(),
                     [&](std::uint32_t number) { return word.weak_initial(frames_.sleeper(number).event); });
}

}  // namespace heddle
