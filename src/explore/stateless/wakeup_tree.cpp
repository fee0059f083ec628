#include "explore/stateless/wakeup_tree.hpp"

#include <utility>

#include "base/contract.hpp"

namespace heddle {

void WakeupTree::plan(Node& node, Choice choice) {
  if (node == kNone) node = make(kNoLetter);
  Event event;
  event.thread = choice.thread;
  event.outcome = choice.outcome;
  append(node, letters_.number(event, false, {}));
}

WakeupTree::Node WakeupTree::take_first(Node node) noexcept {
  Entry& above = at(node);
  const Node child = above.first_child;
  above.first_child = at(child).next;
  if (above.first_child == kNone) above.last_child = kNone;
  fetch_first(node);  // most likely the next to be asked for
  return child;
}

void WakeupTree::performed(Node node, const Event& event) const {
  if (node == kNone) return;
  const Letter& foreseen = letter(node);
  if (!foreseen.known) return;
  // Everything decided about the tree rests on the events being those that were foreseen.
  HEDDLE_REQUIRE(foreseen.event.op.kind == event.op.kind && foreseen.event.op.object == event.op.object &&
                     foreseen.event.woken == event.woken && foreseen.event.outcome == event.outcome &&
                     foreseen.event.total == event.total,
                 "a planned step was performed as another event than foreseen");
}

void WakeupTree::leave(Node node) {
  if (node == kNone) return;
  HEDDLE_REQUIRE(at(node).first_child == kNone, "a state is left only when all that was planned from it was explored");
  free_.push_back(node);
}

bool WakeupTree::has_leaf_of(Node state, const ListedWord& word) const {
  if (state == kNone) return false;
  struct Way {
    Node node;
    ListedWord left;
  };
  std::vector<Way> ways{{state, word}};
  while (!ways.empty()) {
    const Way way = std::move(ways.back());
    ways.pop_back();
    for (Node child = at(way.node).first_child; child != kNone; child = at(child).next) {
      const Letter& first = letter(child);
      if (!first.known || !way.left.weak_initial(first.event)) continue;
      if (at(child).first_child == kNone) return true;
      ways.push_back({child, way.left});
      ways.back().left.remove(first.event, first.place);
    }
  }
  return false;
}

bool WakeupTree::ends_at_leaf_of(const Trail& trail, ListedWord word) const {
  if (trail.empty() || at(trail.found_.back().node).first_child != kNone) return false;
  for (const Trail::Found& found : trail.found_) {
    const Letter& next = letters_[found.letter];
    if (!word.weak_initial(next.event)) return false;
    word.remove(next.event, next.place);
  }
  return true;
}

WakeupTree::Node WakeupTree::make_room() {
  ++used_;
  if (used_ / kChunk >= chunks_.size()) chunks_.push_back(std::make_unique<Entry[]>(kChunk));
  return used_;
}

void WakeupTree::archive(Archive& archive) {
  letters_.archive(archive);
  archive(used_);
  archive(free_);
  for (Node node = 1; node <= used_ && archive.sound(); ++node) {
    if (node / kChunk >= chunks_.size()) chunks_.push_back(std::make_unique<Entry[]>(kChunk));
    archive(at(node));
  }
}

}  // namespace heddle
