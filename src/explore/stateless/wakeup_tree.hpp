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

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/archive.hpp"
#include "explore/stateless/letters.hpp"
#include "explore/stateless/word.hpp"
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
    return whole_choice(event.thread, event.outcome);
  }

  // Plans a choice, behind the others; its event is not known yet.
  void plan(Node& node, Choice choice);
  // Takes the first child out, which is to be explored now.
  [[nodiscard]] Node take_first(Node node) noexcept;
  // The choice of a node has been performed as this event.
  void performed(Node node, const Event& event) const;
  // A state is left for good. Nothing may be planned from it.
  void leave(Node node);

  // How far a word was found in a tree: its letters and the nodes that they led to.
  class Trail {
   public:
    void clear() noexcept {
      found_.clear();
      in_order_ = 0;
      last_ = Execution::kNone;
    }
    // Leaves what may be true of a word with this last event (kNone: none of the execution) in an execution that has
    // its first `events` events in common with the one it was found in.
    void cut(std::size_t events, Execution::Position last) noexcept {
      while (!found_.empty() && found_.back().latest != kNoEvent && found_.back().latest >= events) pop();
      while (last_ != Execution::kNone && last_ != last) pop();
    }
    [[nodiscard]] bool empty() const noexcept { return found_.empty(); }
    [[nodiscard]] bool has_last() const noexcept { return last_ != Execution::kNone; }

    void add(Node node, Letters::Number number, TakenOut letter) {
      if (letter.what == TakenOut::Front && in_order_ == found_.size()) ++in_order_;
      if (letter.what == TakenOut::Last) last_ = letter.position;
      Found found{node, number, letter.position, kNoEvent, 0};
      if (!found_.empty()) {
        found.latest = found_.back().latest;
        found.foreign = found_.back().foreign;
      }
      if (letter.what == TakenOut::Foreign) {
        ++found.foreign;
      } else if (found.latest == kNoEvent || letter.position > found.latest) {
        found.latest = letter.position;
      }
      found_.push_back(found);
    }

   private:
    friend class WakeupTree;
    static constexpr Execution::Position kNoEvent = Execution::kNone;
    struct Found {
      Node node;
      Letters::Number letter;
      Execution::Position position;  // of the letter; kNone if it is foreign
      Execution::Position latest;    // of the positions up to here
      std::uint32_t foreign;         // letters up to here
    };
    void pop() noexcept { shorten(found_.size() - 1); }
    void shorten(std::size_t size) noexcept {
      for (; found_.size() > size; found_.pop_back()) {
        if (found_.back().position == last_) last_ = Execution::kNone;
      }
      in_order_ = std::min(in_order_, size);
    }
    std::vector<Found> found_;
    std::size_t in_order_ = 0;  // the first ones were, one after the other, the first event that was left
    Execution::Position last_ = Execution::kNone;  // the word's last event, if it is among them
  };

  // insert(w, tree) of the paper: makes the tree lead to an execution of `word` from the node's state, unless it
  // already does. Uses the word up, and notes its trail. True if something was planned.
  //
  // At each node, the first child that can begin the word (as a weak initial) is followed and taken out of the word.
  // Arriving at a leaf means that everything the word stands for is planned. Matching at the root alone would lose
  // executions: the child's subtree may go another way.
  template <typename AnyWord>
  bool insert(Node& state, AnyWord& word, Trail& trail) {
    if (state == kNone) state = make(kNoLetter);
    Node node = state;
    if (follow(node, word, trail)) return false;
    word.for_each([&](const Event& event, Execution::Place place, TakenOut letter) {
      const Letters::Number number = letter_of(event, place, letter.position);
      node = append(node, number);
      trail.add(node, number, letter);
    });
    return true;
  }

  // Whether a trail that has been cut ends at a leaf whatever the word: all its letters are events that it has.
  [[nodiscard]] bool is_whole(const Trail& trail) const noexcept {
    return trail.found_.back().foreign == 0 && at(trail.found_.back().node).first_child == kNone;
  }
  // Whether a trail that has been cut, and is no whole one, leads to a leaf. `assign` gives the word to be followed,
  // without what it has before a position; `same`: what the executions have in common.
  template <typename Assign>
  [[nodiscard]] bool leads_to_leaf(Trail& trail, std::size_t begin, std::size_t same, Assign assign) const {
    const std::size_t in_order = trail.in_order_;
    auto& word = assign(in_order == 0 ? begin : trail.found_[in_order - 1].position + std::size_t{1});
    for (std::size_t i = in_order; i < trail.found_.size(); ++i) {
      const Trail::Found& found = trail.found_[i];
      if (found.position != Execution::kNone) {
        word.remove(found.position);
        continue;
      }
      const Letter& foreign = letters_[found.letter];
      if (!word.begins_as_before(foreign.event, foreign.place, same)) {
        trail.shorten(i);
        break;
      }
      word.remove(foreign.event, foreign.place);
    }
    word.find_front();
    if (trail.empty()) return false;
    Node node = trail.found_.back().node;
    return at(node).first_child == kNone || follow(node, word, trail);
  }

  // Whether some leaf begins the word, whichever way leads to it: as `insert` would find, but slow, and with nothing
  // remembered. For searches that check themselves.
  [[nodiscard]] bool has_leaf_of(Node state, const ListedWord& word) const;
  // Whether a trail ends at such a leaf.
  [[nodiscard]] bool ends_at_leaf_of(const Trail& trail, ListedWord word) const;

  // The current execution is that of its first `depth` events from now on.
  void forget_events_beyond(std::size_t depth) {
    if (of_events_.size() > depth) of_events_.resize(depth);
  }

  // A planned word is about to be run: its nodes are mostly one behind the other.
  void prefetch(Node node) const noexcept {
    constexpr std::size_t kLines = 8;
    for (std::size_t line = 0; line < kLines; ++line) __builtin_prefetch(&at(node) + line * (64 / sizeof(Entry)));
  }

  // The tree of a state is about to be looked at: what is planned from it first may not have been for long.
  void fetch_first(Node node) const noexcept {
    if (node != kNone) __builtin_prefetch(&at(at(node).first_child));
  }

  void archive(Archive& archive);

 private:
  // From a node on, which is no leaf: true if a leaf is come to; if not, the last node that the word leads to.
  template <typename AnyWord>
  [[nodiscard]] bool follow(Node& node, AnyWord& word, Trail& trail) const {
    for (Node child = at(node).first_child; child != kNone;) {
      const Entry& entry = at(child);
      // Nodes that nobody has looked at for long are far away: what may be next is fetched meanwhile.
      __builtin_prefetch(&at(entry.next));
      const Letter& first = letters_[entry.letter];
      if (!first.known || !word.weak_initial(first.event, first.place)) {
        child = entry.next;
        continue;
      }
      trail.add(child, entry.letter, word.remove(first.event, first.place));
      node = child;
      child = entry.first_child;
      if (child == kNone) return true;
    }
    return false;
  }

  struct Entry {
    Letters::Number letter = kNoLetter;
    Node first_child = kNone;
    Node last_child = kNone;
    Node next = kNone;  // sibling
  };
  static constexpr Letters::Number kNoLetter = ~Letters::Number{0};

  [[nodiscard]] Node make(Letters::Number letter) {
    Node node;
    if (free_.empty()) {
      node = make_room();
    } else {
      node = free_.back();
      free_.pop_back();
    }
    at(node) = {letter, kNone, kNone, kNone};
    return node;
  }
  [[nodiscard]] Node make_room();
  Node append(Node parent, Letters::Number letter) {
    const Node node = make(letter);
    Entry& above = at(parent);
    if (above.last_child == kNone) {
      above.first_child = node;
    } else {
      at(above.last_child).next = node;
    }
    above.last_child = node;
    return node;
  }
  // The letter of an event, at this position of the current execution if it is not kNone.
  [[nodiscard]] Letters::Number letter_of(const Event& event, Execution::Place place, Execution::Position position) {
    if (position < of_events_.size() && of_events_[position] != kNoLetter) return of_events_[position];
    const Letters::Number letter = letters_.number(event, true, place);
    if (position == Execution::kNone) return letter;
    if (position >= of_events_.size()) of_events_.resize(position + std::size_t{1}, kNoLetter);
    of_events_[position] = letter;
    return letter;
  }
  [[nodiscard]] const Letter& letter(Node node) const noexcept { return letters_[at(node).letter]; }

  static constexpr Node kChunk = 4096;  // nodes allocated at once, which stay where they are
  [[nodiscard]] Entry& at(Node node) const noexcept { return chunks_[node / kChunk][node % kChunk]; }

  Letters letters_;
  std::vector<Letters::Number> of_events_;  // of the current execution, by position, as far as they have been asked for
  std::vector<std::unique_ptr<Entry[]>> chunks_;
  Node used_ = 0;  // the nodes made so far; their numbers begin with 1
  std::vector<Node> free_;
};

}  // namespace heddle
