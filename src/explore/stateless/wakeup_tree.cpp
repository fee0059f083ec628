#include "explore/stateless/wakeup_tree.hpp"

#include "base/contract.hpp"

namespace heddle {

void WakeupTree::plan(Node node, Choice choice) {
  Event letter;
  letter.thread = choice.thread;
  letter.outcome = choice.outcome;
  append(node, letter, false);
}

void WakeupTree::performed(Node node, const Event& event) {
  Entry& entry = nodes_[node];
  // Everything decided about the tree rests on the events being those that were foreseen.
  HEDDLE_REQUIRE(!entry.known || (entry.letter.op.kind == event.op.kind && entry.letter.op.object == event.op.object &&
                                  entry.letter.woken == event.woken && entry.letter.outcome == event.outcome),
                 "a planned step was performed as another event than foreseen");
  entry.letter = event;
  entry.known = true;
}

void WakeupTree::remove_first_child(Node node) {
  const Node child = nodes_[node].first_child;
  HEDDLE_REQUIRE(child != 0 && nodes_[child].first_child == 0, "only an explored leaf is removed from a wakeup tree");
  nodes_[node].first_child = nodes_[child].next;
  if (nodes_[child].next == 0) nodes_[node].last_child = 0;
  free_.push_back(child);
}

WakeupTree::Node WakeupTree::append(Node parent, const Event& letter, bool known) {
  Node node;
  if (free_.empty()) {
    node = static_cast<Node>(nodes_.size());
    nodes_.emplace_back();
  } else {
    node = free_.back();
    free_.pop_back();
  }
  nodes_[node] = {letter, 0, 0, 0, known};
  Entry& above = nodes_[parent];
  if (above.last_child == 0) {
    above.first_child = node;
  } else {
    nodes_[above.last_child].next = node;
  }
  above.last_child = node;
  return node;
}

}  // namespace heddle
