// Wakeup trees (Abdulla et al. 2014): for each state on the current execution, an ordered tree of the
// continuations that must still be explored from it.
//
// Each state on the execution has a node, whose children are what is still to be explored from it. A child that is
// about to be explored is taken out and is the node of the next state, so that handing a subtree down costs nothing.
// The tree of the paper has the choice being explored in it, too; but no word is ever compared with that, because a
// word planned in a state comes from a race with the very step being explored from it. Most states are come to by
// choices that nobody planned and get a node only when something is planned there.
//
// All nodes are in one pool, and small, for there may be millions. A node is labelled with the event by which it is
// reached; if only its choice is known, it matches no word.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/archive.hpp"
#include "explore/stateless/letters.hpp"
#include "model/choice.hpp"
#include "model/operation.hpp"

namespace heddle {

class WakeupTree {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNone = 0;  // the node of a state from which nothing is planned

  [[nodiscard]] bool empty(Node node) const noexcept { return node == kNone || at(node).first_child == kNone; }
  [[nodiscard]] Choice choice(Node node) const noexcept {
    const Event& event = letter(node).event;
    return {event.thread, event.outcome};
  }

  // Plans a choice, behind the others; its event is not known yet.
  void plan(Node& node, Choice choice);
  // Takes the first child out, which is to be explored now.
  [[nodiscard]] Node take_first(Node node) noexcept;
  // The choice of a node has been performed as this event.
  void performed(Node node, const Event& event) const;
  // A state is left for good. Nothing may be planned from it.
  void leave(Node node);

  // insert(w, tree) of the paper: makes the tree lead to an execution of `word` from the node's state, unless it
  // already does. Uses the word up.
  //
  // At each node, the first child that can begin the word (as a weak initial) is followed and taken out of the word.
  // Arriving at a leaf means that everything the word stands for is planned. Matching at the root alone would lose
  // executions: the child's subtree may go another way.
  template <typename AnyWord>
  void insert(Node& state, AnyWord& word) {
    if (state == kNone) state = make(kNoLetter);
    Node node = state;
    for (Node child = at(state).first_child; child != kNone;) {
      const Entry& entry = at(child);
      // Nodes that nobody has looked at for long are far away: what may be next is fetched meanwhile.
      __builtin_prefetch(&at(entry.next));
      const Letter& first = letters_[entry.letter];
      if (!first.known || !word.weak_initial(first.event, first.place)) {
        child = entry.next;
        continue;
      }
      word.remove(first.event, first.place);
      if (entry.first_child == kNone) return;
      node = child;
      child = entry.first_child;
    }
    word.for_each(
        [&](const Event& event, Execution::Place place) { node = append(node, letters_.number(event, true, place)); });
  }

  // A planned word is about to be run: its nodes are mostly one behind the other.
  void prefetch(Node node) const noexcept {
    constexpr std::size_t kLines = 8;
    for (std::size_t line = 0; line < kLines; ++line) __builtin_prefetch(&at(node) + line * (64 / sizeof(Entry)));
  }

  void archive(Archive& archive);

 private:
  struct Entry {
    Letters::Number letter = kNoLetter;
    Node first_child = kNone;
    Node last_child = kNone;
    Node next = kNone;  // sibling
  };
  static constexpr Letters::Number kNoLetter = ~Letters::Number{0};

  [[nodiscard]] Node make(Letters::Number letter);
  Node append(Node parent, Letters::Number letter);
  [[nodiscard]] const Letter& letter(Node node) const noexcept { return letters_[at(node).letter]; }

  static constexpr Node kChunk = 4096;  // nodes allocated at once, which stay where they are
  [[nodiscard]] Entry& at(Node node) const noexcept { return chunks_[node / kChunk][node % kChunk]; }

  Letters letters_;
  std::vector<std::unique_ptr<Entry[]>> chunks_;
  Node used_ = 0;  // the nodes made so far; their numbers begin with 1
  std::vector<Node> free_;
};

}  // namespace heddle
