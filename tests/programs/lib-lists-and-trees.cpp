// Lists and trees of the standard library after many changes: in order, linked both ways, balanced.
#include <algorithm>
#include <cassert>
#include <list>
#include <map>
#include <thread>
#include <vector>

// The number of black nodes on every way down, checking colours and links.
static int blacks(const std::_Rb_tree_node_base* node, const std::_Rb_tree_node_base* above) {
  if (node == nullptr) return 1;
  assert(node->_M_parent == above);
  const bool red = node->_M_color == std::_S_red;
  for (const auto* child : {node->_M_left, node->_M_right}) assert(!(red && child && child->_M_color == std::_S_red));
  const int left = blacks(node->_M_left, node);
  assert(left == blacks(node->_M_right, node));
  return left + (red ? 0 : 1);
}

static void trees(unsigned state) {
  std::map<int, int> map;
  std::vector<int> keys;
  for (int i = 0; i < 400; ++i) {
    state = state * 1664525U + 1013904223U;
    const int key = static_cast<int>(state >> 16U) % 64;
    const auto known = std::find(keys.begin(), keys.end(), key);
    if (known == keys.end()) {
      map.emplace(key, i);
      keys.push_back(key);
    } else {
      map.erase(key);
      keys.erase(known);
    }
    std::sort(keys.begin(), keys.end());
    assert(map.size() == keys.size());
    assert(std::equal(keys.begin(), keys.end(), map.begin(), [](int k, const auto& entry) { return k == entry.first; }));
    assert(std::equal(keys.rbegin(), keys.rend(), map.rbegin(), [](int k, const auto& entry) { return k == entry.first; }));
    const auto* header = map.end()._M_node;
    assert(header->_M_parent == nullptr || header->_M_parent->_M_color == std::_S_black);
    blacks(header->_M_parent, header);
  }
}

static void same(std::list<int>& list, std::vector<int> wanted) {
  assert(std::equal(list.begin(), list.end(), wanted.begin(), wanted.end()));
  assert(std::equal(list.rbegin(), list.rend(), wanted.rbegin(), wanted.rend()));
}

static void lists() {
  std::list<int> a{1, 2, 3, 4};
  std::list<int> b;
  a.splice(a.begin(), a, std::prev(a.end()));
  same(a, {4, 1, 2, 3});
  a.splice(a.begin(), a, a.begin());
  same(a, {4, 1, 2, 3});
  a.splice(a.end(), a, a.begin(), std::next(a.begin(), 2));
  same(a, {2, 3, 4, 1});
  a.reverse();
  same(a, {1, 4, 3, 2});
  b.swap(a);
  same(a, {});
  same(b, {1, 4, 3, 2});
  a.push_back(7);
  a.swap(b);
  same(a, {1, 4, 3, 2});
  same(b, {7});
  a.sort();
  same(a, {1, 2, 3, 4});
  a.merge(b);
  same(a, {1, 2, 3, 4, 7});
  same(b, {});
  b.reverse();
  b.swap(b);
  same(b, {});
  a.remove(3);
  same(a, {1, 2, 4, 7});
}

int main() {
  std::thread thread(trees, 1U);
  trees(2U);
  lists();
  thread.join();
}
