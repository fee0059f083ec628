// CLH queue lock. A thread uses its own node again, which the next thread may still be looking at, instead of that of its
// predecessor.
#include <atomic>
#include <thread>

struct Node {
    std::atomic<bool> locked{false};
};

static Node nodes[3];
static std::atomic<Node*> tail{&nodes[2]};
static int counter;

static void enter(int me, int times) {
    Node* mine = &nodes[me];
    for (int i = 0; i < times; i++) {
        mine->locked.store(true);
        Node* before = tail.exchange(mine);
        while (before->locked.load()) { // BUG
        }
        counter++;
        mine->locked.store(false);
    }
}

int main() {
    std::thread first(enter, 0, 2), second(enter, 1, 1);
    first.join();
    second.join();
    return counter == 3 ? 0 : 1;
}
