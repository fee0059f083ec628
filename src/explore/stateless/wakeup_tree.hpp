// Wakeup trees (Abdulla et al. 2014): for each state on the current execution, an ordered tree of the
// continuations that must still be explored from it.
//
// All trees are parts of one: the tree of a state is the subtree of the choice being explored in the state before it.
// So the whole is a forest of nodes in one pool, and handing a subtree down costs nothing. A node is labelled with the
// event by which it is reached. That of a choice made because nothing was planned is not known: it matches no word.
// Nodes are small, for there may be millions.
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
  static constexpr Node kRoot = 0;

  WakeupTree() { chunks_.push_back(std::make_unique<Entry[]>(kChunk)); }

  [[nodiscard]] bool empty(Node node) const noexcept { return at(node).first_child == 0; }
  // The child explored now or next.
  [[nodiscard]] Node first(Node node) const noexcept { return at(node).first_child; }
  [[nodiscard]] Choice choice(Node node) const noexcept {
    const Event& event = letter(node).event;
    return {event.thread, event.outcome};
  }

  // Plans a choice, behind the others; its event is not known yet.
  void plan(Node node, Choice choice);
  // The choice of a node has been performed as this event.
  void performed(Node node, const Event& event) const;
  // Removes the first child, which must have none itself.
  void remove_first_child(Node node);

  // insert(w, tree) of the paper: makes the tree lead to an execution of `word` from the node's state, unless it
  // already does. Uses the word up.
  //
  // At each node, the first child that can begin the word (as a weak initial) is followed and taken out of the word.
  // Arriving at a leaf means that everything the word stands for is planned. Matching at the root alone would lose
  // executions: the child's subtree may go another way.
  template <typename AnyWord>
  void insert(Node node, AnyWord& word) {
    const auto leads_to_word = [&](Node child) {
      return letter(child).known && word.weak_initial(letter(child).event);
    };
    for (;;) {
      Node child = at(node).first_child;
      for (; child != 0; child = at(child).next) {
        // Nodes that nobody has looked at for long are far away: what may be next is fetched meanwhile.
        __builtin_prefetch(&at(at(child).next));
        __builtin_prefetch(&at(at(child).first_child));
        if (leads_to_word(child)) break;
      }
      if (child == 0) break;
      if (at(child).first_child == 0) return;
      word.remove_first(letter(child).event.thread);
      node = child;
    }
    word.for_each([&](const Event& event) { node = append(node, letters_.number(event, true)); });
  }

  [[nodiscard]] std::size_t size() const noexcept { return used_ - free_.size(); }

  // A planned word is about to be run: its nodes are mostly one behind the other.
  void prefetch(Node node) const noexcept {
    constexpr std::size_t kLines = 8;
    for (std::size_t line = 0; line < kLines; ++line) __builtin_prefetch(&at(node) + line * (64 / sizeof(Entry)));
  }

  void archive(Archive& archive);

 private:
  struct Entry {
    Letters::Number letter = 0;
    Node first_child = 0;
    Node last_child = 0;
    Node next = 0;  // sibling
  };

  Node append(Node parent, Letters::Number letter);
  [[nodiscard]] const Letter& letter(Node node) const noexcept { return letters_[at(node).letter]; }

  static constexpr Node kChunk = 4096;  // nodes allocated at once, which stay where they are
  [[nodiscard]] Entry& at(Node node) const noexcept { return chunks_[node / kChunk][node % kChunk]; }

  Letters letters_;
  std::vector<std::unique_ptr<Entry[]>> chunks_;
  Node used_ = 1;  // the root is number 0, so that 0 can stand for "none"
  std::vector<Node> free_;
};

}  // namespace heddle
