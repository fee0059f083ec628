// MCS queue lock. The unlock finds no successor yet and empties the queue, although one has queued up in between: that
// thread waits for ever.
#include <atomic>
#include <thread>

struct Node {
    std::atomic<Node*> next{nullptr};
    std::atomic<bool> locked{false};
};

static std::atomic<Node*> tail;
static Node nodes[2];
static int counter;

static void enter(int me) {
    Node& mine = nodes[me];
    if (Node* before = tail.exchange(&mine)) {
        mine.locked.store(true);
        before->next.store(&mine);
        while (mine.locked.load()) { // BUG
        }
    }
    counter++;
    Node* after = mine.next.load();
    if (!after) {
        tail.store(nullptr);
        return;
    }
    after->locked.store(false);
}

int main() {
    std::thread first(enter, 0), second(enter, 1);
    first.join();
    second.join();
    return counter == 2 ? 0 : 1;
}
