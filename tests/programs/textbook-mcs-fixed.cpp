// MCS queue lock: an unlock that finds no successor empties the queue only if nobody has queued up in between.
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
        while (mine.locked.load()) {
        }
    }
    counter++;
    Node* after = mine.next.load();
    if (!after) {
        Node* expected = &mine;
        if (tail.compare_exchange_strong(expected, nullptr))
            return;
        while (!(after = mine.next.load())) {
        }
    }
    after->locked.store(false);
}

int main() {
    std::thread first(enter, 0), second(enter, 1);
    first.join();
    second.join();
    return counter == 2 ? 0 : 1;
}
