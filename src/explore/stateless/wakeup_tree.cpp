#include "explore/stateless/wakeup_tree.hpp"

#include "base/contract.hpp"

namespace heddle {

void WakeupTree::plan(Node node, Choice choice) {
  Event event;
  event.thread = choice.thread;
  event.outcome = choice.outcome;
  append(node, letters_.number(event, false));
}

// A step that was not foreseen need not be known afterwards either: no word is ever compared with the step that is
// being explored, for a word planned in the state before it comes from a race with that very step.
void WakeupTree::performed(Node node, const Event& event) const {
  const Letter& foreseen = letter(node);
  if (!foreseen.known) return;
  // Everything decided about the tree rests on the events being those that were foreseen.
  HEDDLE_REQUIRE(foreseen.event.op.kind == event.op.kind && foreseen.event.op.object == event.op.object &&
                     foreseen.event.woken == event.woken && foreseen.event.outcome == event.outcome,
                 "a planned step was performed as another event than foreseen");
}

void WakeupTree::remove_first_child(Node node) {
  const Node child = at(node).first_child;
  HEDDLE_REQUIRE(child != 0 && at(child).first_child == 0, "only an explored leaf is removed from a wakeup tree");
  at(node).first_child = at(child).next;
  if (at(child).next == 0) at(node).last_child = 0;
  free_.push_back(child);
}

WakeupTree::Node WakeupTree::append(Node parent, Letters::Number letter) {
  Node node;
  if (free_.empty()) {
    node = used_++;
    if (node / kChunk == chunks_.size()) chunks_.push_back(std::make_unique<Entry[]>(kChunk));
  } else {
    node = free_.back();
    free_.pop_back();
  }
  at(node) = {letter, 0, 0, 0};
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
  letters_.archive(archive);
  archive(used_);
  archive(free_);
  for (Node node = 0; node < used_ && archive.sound(); ++node) {
    if (node / kChunk == chunks_.size()) chunks_.push_back(std::make_unique<Entry[]>(kChunk));
    archive(at(node));
  }
}

}  // namespace heddle
