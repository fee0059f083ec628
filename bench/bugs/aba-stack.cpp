// ABA; bound 1, depth 2. A pop that was stopped puts back a node that another thread has popped, and its old
// successor. Orders that suffice: one reads next < two first exchanges, two has pushed < one exchanges.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> in_use{false};
};
Node nodes[2];
std::atomic<Node*> head{nullptr};

Node* pop() {
  Node* top = head;
  while (top != nullptr && !head.compare_exchange_strong(top, top->next)) {
  }
  return top;
}

void push(Node* node) {
  Node* top = head;
  do node->next = top;
  while (!head.compare_exchange_strong(top, node));
}

int main() {
  push(&nodes[1]);
  push(&nodes[0]);
  std::thread one([] {
    if (Node* node = pop()) node->in_use = true;
  });
  std::thread two([] {
    Node* first = pop();
    Node* second = pop();
    if (first != nullptr && second != nullptr) {
      second->in_use = true;
      push(first);
    }
  });
  one.join();
  two.join();
  for (Node* node = head; node != nullptr; node = node->next) assert(!node->in_use);
}
