// Two objects that own each other are never freed.
#include <memory>

struct Node {
    std::shared_ptr<Node> other;
};

int main() {
    auto first = std::make_shared<Node>();
    first->other = std::make_shared<Node>();
    first->other->other = first;
}
