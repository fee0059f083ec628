// The parts of std::list, std::map and std::set that libstdc++ keeps in its shared library: linking and unlinking the
// nodes of lists, walking and balancing trees. There they would touch the program's memory unseen, and two threads that
// change a list at once would go unnoticed. So they are written here again, each access like any other of the program.
//
// What they do is laid down by libstdc++'s headers, which are compiled into programs. Lists are circles through a node
// without a value. The header of a tree is the parent of the root, and the root its parent; its left and right are the
// first and the last node; it is red, which tells it from the root.
#include <list>
#include <map>

#include "program/native/accesses.hpp"

using namespace heddle::native;  // NOLINT: this file is nothing but definitions in the library's own namespace

namespace {

// A field of a node, on behalf of the call at `site`.
template <typename Value>
class Field {
 public:
  Field(Value& value, std::uint64_t site) : value_(value), site_(site) { forget_entry_registers(); }
  operator Value() const {  // NOLINT: it stands for its value
    plain_access(reinterpret_cast<std::uint64_t>(&value_), sizeof value_, false, site_);
    return value_;
  }
  Field& operator=(Value value) {
    plain_access(reinterpret_cast<std::uint64_t>(&value_), sizeof value_, true, site_);
    value_ = value;
    return *this;
  }
  Field& operator=(const Field& other) { return *this = static_cast<Value>(other); }
  Field(const Field&) = default;
  ~Field() = default;

 private:
  Value& value_;
  std::uint64_t site_;
};

struct ListNodes {
  using Node = std::__detail::_List_node_base;
  std::uint64_t site;
  [[nodiscard]] Field<Node*> next(Node* node) const { return {node->_M_next, site}; }
  [[nodiscard]] Field<Node*> previous(Node* node) const { return {node->_M_prev, site}; }

  void link(Node* first, Node* second) const {
    next(first) = second;
    previous(second) = first;
  }
};

// The nodes from `first` up to but without `last` move in front of `position`.
void transfer(const ListNodes& nodes, ListNodes::Node* position, ListNodes::Node* first, ListNodes::Node* last) {
  if (position == last) return;
  ListNodes::Node* const before_position = nodes.previous(position);
  ListNodes::Node* const before_first = nodes.previous(first);
  ListNodes::Node* const moved_last = nodes.previous(last);
  nodes.link(before_first, last);
  nodes.link(before_position, first);
  nodes.link(moved_last, position);
}

// Makes `to`, which is empty, the circle that `from` is; `from` is empty then.
void take_over(const ListNodes& nodes, ListNodes::Node* to, ListNodes::Node* from) {
  ListNodes::Node* const first = nodes.next(from);
  ListNodes::Node* const last = nodes.previous(from);
  nodes.link(to, first);
  nodes.link(last, to);
  nodes.link(from, from);
}

// Red-black trees as in the textbooks (Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, chapter 13).
struct Tree {
  using Node = std::_Rb_tree_node_base;
  using Color = std::_Rb_tree_color;
  std::uint64_t site;

  [[nodiscard]] Field<Node*> parent(Node* node) const { return {node->_M_parent, site}; }
  [[nodiscard]] Field<Node*> left(Node* node) const { return {node->_M_left, site}; }
  [[nodiscard]] Field<Node*> right(Node* node) const { return {node->_M_right, site}; }
  [[nodiscard]] Field<Color> color(Node* node) const { return {node->_M_color, site}; }
  // One of the two, for what is done to both sides alike.
  [[nodiscard]] Field<Node*> child(Node* node, bool on_left) const { return on_left ? left(node) : right(node); }
  [[nodiscard]] bool red(Node* node) const { return node != nullptr && color(node) == std::_S_red; }

  [[nodiscard]] Node* furthest(Node* node, bool on_left) const {
    while (Node* const further = child(node, on_left)) node = further;
    return node;
  }

  [[nodiscard]] Node* next(Node* node) const {
    if (Node* const below = right(node)) return furthest(below, true);
    Node* above = parent(node);
    while (node == right(above)) {
      node = above;
      above = parent(above);
    }
    // From the last node of a tree whose root has nothing on its right, the way up ends at the header itself.
    return right(node) == above ? node : above;
  }

  [[nodiscard]] Node* previous(Node* node) const {
    if (red(node) && parent(parent(node)) == node) return right(node);  // of the header: the last
    if (Node* const below = left(node)) return furthest(below, false);
    Node* above = parent(node);
    while (node == left(above)) {
      node = above;
      above = parent(above);
    }
    return above;
  }

  // Puts another node (or none) where a node hangs.
  void replace(Node* node, Node* by, Node* header) const {
    Node* const above = parent(node);
    if (parent(header) == node) {
      parent(header) = by;
    } else {
      child(above, left(above) == node) = by;
    }
    if (by != nullptr) parent(by) = above;
  }

  // Node goes down to the left (or right), and its other child comes up.
  void rotate(Node* node, bool to_left, Node* header) const {
    Node* const up = child(node, !to_left);
    Node* const between = child(up, to_left);
    child(node, !to_left) = between;
    if (between != nullptr) parent(between) = node;
    replace(node, up, header);
    child(up, to_left) = node;
    parent(node) = up;
  }

  void insert(bool on_left, Node* node, Node* above, Node* header) const {
    parent(node) = above;
    left(node) = nullptr;
    right(node) = nullptr;
    color(node) = std::_S_red;
    child(above, on_left) = node;
    if (above == header) {  // it is the only one
      parent(header) = node;
      right(header) = node;
    } else if (child(header, on_left) == above) {
      child(header, on_left) = node;
    }
    while (parent(header) != node && red(parent(node))) node = lift_red(node, header);
    color(parent(header)) = std::_S_black;
  }

  // A red node below a red parent: repairs that, or leaves it to be repaired further up, at the node returned.
  [[nodiscard]] Node* lift_red(Node* node, Node* header) const {
    Node* above = parent(node);
    Node* const top = parent(above);
    const bool on_left = left(top) == above;
    if (Node* const uncle = child(top, !on_left); red(uncle)) {
      color(above) = std::_S_black;
      color(uncle) = std::_S_black;
      color(top) = std::_S_red;
      return top;
    }
    if (child(above, !on_left) == node) {
      rotate(above, on_left, header);
      std::swap(node, above);
    }
    color(above) = std::_S_black;
    color(top) = std::_S_red;
    rotate(top, !on_left, header);
    return node;
  }

  void erase(Node* node, Node* header) const {
    Node* const on_left = left(node);
    Node* const on_right = right(node);
    Node* filler = nullptr;  // comes where something is missing; there may be none
    Node* above = nullptr;   // what it hangs from
    Color removed = color(node);
    if (on_left == nullptr || on_right == nullptr) {
      filler = on_left != nullptr ? on_left : on_right;
      above = parent(node);
      // The ends, while the ways to them are as they were.
      if (left(header) == node) left(header) = filler != nullptr ? furthest(filler, true) : above;
      if (right(header) == node) right(header) = filler != nullptr ? furthest(filler, false) : above;
      replace(node, filler, header);
    } else {
      // The one behind it, which has nothing on its left, takes its place.
      Node* const successor = furthest(on_right, true);
      filler = right(successor);
      above = successor;
      if (successor != on_right) {
        above = parent(successor);
        replace(successor, filler, header);
        right(successor) = on_right;
        parent(on_right) = successor;
      }
      replace(node, successor, header);
      left(successor) = on_left;
      parent(on_left) = successor;
      removed = color(successor);
      color(successor) = color(node);
    }
    if (removed == std::_S_black) restore_black(filler, above, header);
  }

  // One black is missing on the ways through `node`, which hangs from `above`.
  void restore_black(Node* node, Node* above, Node* header) const {
    while (parent(header) != node && !red(node)) {
      const bool on_left = left(above) == node;
      Node* sibling = child(above, !on_left);
      if (red(sibling)) {
        color(sibling) = std::_S_black;
        color(above) = std::_S_red;
        rotate(above, on_left, header);
        sibling = child(above, !on_left);
      }
      if (!red(left(sibling)) && !red(right(sibling))) {
        color(sibling) = std::_S_red;
        node = above;
        above = parent(above);
        continue;
      }
      if (!red(child(sibling, !on_left))) {
        color(child(sibling, on_left)) = std::_S_black;
        color(sibling) = std::_S_red;
        rotate(sibling, !on_left, header);
        sibling = child(above, !on_left);
      }
      color(sibling) = color(above);
      color(above) = std::_S_black;
      color(child(sibling, !on_left)) = std::_S_black;
      rotate(above, on_left, header);
      return;
    }
    if (node != nullptr) color(node) = std::_S_black;
  }
};

}  // namespace

#define HEDDLE_EXPORTED __attribute__((visibility("default")))

namespace std {
namespace __detail {

HEDDLE_EXPORTED void _List_node_base::_M_hook(_List_node_base* const position) noexcept {
  const ListNodes nodes{HEDDLE_SITE};
  _List_node_base* const before = nodes.previous(position);
  nodes.link(before, this);
  nodes.link(this, position);
}

HEDDLE_EXPORTED void _List_node_base::_M_unhook() noexcept {
  const ListNodes nodes{HEDDLE_SITE};
  nodes.link(nodes.previous(this), nodes.next(this));
}

HEDDLE_EXPORTED void _List_node_base::_M_transfer(_List_node_base* const first, _List_node_base* const last) noexcept {
  transfer({HEDDLE_SITE}, this, first, last);
}

HEDDLE_EXPORTED void _List_node_base::_M_reverse() noexcept {
  const ListNodes nodes{HEDDLE_SITE};
  _List_node_base* node = this;
  do {
    _List_node_base* const next = nodes.next(node);
    nodes.next(node) = nodes.previous(node);
    nodes.previous(node) = next;
    node = next;
  } while (node != this);
}

HEDDLE_EXPORTED void _List_node_base::swap(_List_node_base& a, _List_node_base& b) noexcept {
  const ListNodes nodes{HEDDLE_SITE};
  const bool a_empty = nodes.next(&a) == &a;
  const bool b_empty = nodes.next(&b) == &b;
  if (a_empty && b_empty) return;
  if (a_empty || b_empty) return a_empty ? take_over(nodes, &a, &b) : take_over(nodes, &b, &a);
  _List_node_base between;
  take_over(nodes, &between, &a);
  take_over(nodes, &a, &b);
  take_over(nodes, &b, &between);
}

}  // namespace __detail

HEDDLE_EXPORTED _Rb_tree_node_base* _Rb_tree_increment(_Rb_tree_node_base* node) noexcept {
  return Tree{HEDDLE_SITE}.next(node);
}
HEDDLE_EXPORTED const _Rb_tree_node_base* _Rb_tree_increment(const _Rb_tree_node_base* node) noexcept {
  return Tree{HEDDLE_SITE}.next(const_cast<_Rb_tree_node_base*>(node));
}
HEDDLE_EXPORTED _Rb_tree_node_base* _Rb_tree_decrement(_Rb_tree_node_base* node) noexcept {
  return Tree{HEDDLE_SITE}.previous(node);
}
HEDDLE_EXPORTED const _Rb_tree_node_base* _Rb_tree_decrement(const _Rb_tree_node_base* node) noexcept {
  return Tree{HEDDLE_SITE}.previous(const_cast<_Rb_tree_node_base*>(node));
}
HEDDLE_EXPORTED void _Rb_tree_insert_and_rebalance(const bool on_left, _Rb_tree_node_base* node,
                                                   _Rb_tree_node_base* above, _Rb_tree_node_base& header) noexcept {
  Tree{HEDDLE_SITE}.insert(on_left, node, above, &header);
}
HEDDLE_EXPORTED _Rb_tree_node_base* _Rb_tree_rebalance_for_erase(_Rb_tree_node_base* const node,
                                                                 _Rb_tree_node_base& header) noexcept {
  Tree{HEDDLE_SITE}.erase(node, &header);
  return node;
}

}  // namespace std
