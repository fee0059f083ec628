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
  Entry& entry = at(node);
  // Everything decided about the tree rests on the events being those that were foreseen.
  HEDDLE_REQUIRE(!entry.known || (entry.letter.op.kind == event.op.kind && entry.letter.op.object == event.op.object &&
                                  entry.letter.woken == event.woken && entry.letter.outcome == event.outcome),
                 "a planned step was performed as another event than foreseen");
  entry.letter = event;
  entry.known = true;
}

void WakeupTree::remove_first_child(Node node) {
  const Node child = at(node).first_child;
  HEDDLE_REQUIRE(child != 0 && at(child).first_child == 0, "only an explored leaf is removed from a wakeup tree");
  at(node).first_child = at(child).next;
  if (at(child).next == 0) at(node).last_child = 0;
  free_.push_back(child);
}

WakeupTree::Node WakeupTree::append(Node parent, const Event& letter, bool known) {
  Node node;
  if (free_.empty()) {
    node = used_++;
    if (node / kChunk == chunks_.size()) chunks_.push_back(std::make_unique<Entry[]>(kChunk));
  } else {
    node = free_.back();
    free_.pop_back();
  }
  at(node) = {letter, 0, 0, 0, known};
  Entry& above = at(parent);
  if (above.last_child == 0) {
    above.first_child = node;
  } else {
    at(above.last_child).next = node;
  }
  above.last_child = node;
  return node;
}

void WakeupTree::archive(Archive& archive) {
  archive(used_);
  archive(free_);
  for (Node node = 0; node < used_ && archive.sound(); ++node) {
    if (node / kChunk == chunks_.size()) chunks_.push_back(std::make_unique<Entry[]>(kChunk));
    archive(at(node));
  }
}

}  // namespace heddle
