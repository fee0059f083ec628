// A queue deletes its remaining nodes when it is destroyed.
#include <mutex>
#include <thread>

class Queue {
public:
    ~Queue() {
        while (pop()) {
        }
    }
    void push(int value) {
        std::lock_guard<std::mutex> hold(guard_);
        head_ = new Node{value, head_};
    }
    bool pop() {
        std::lock_guard<std::mutex> hold(guard_);
        Node *node = head_;
        if (!node)
            return false;
        head_ = node->next;
        delete node;
        return true;
    }

private:
    struct Node {
        int value;
        Node *next;
    };
    std::mutex guard_;
    Node *head_ = nullptr;
};

int main() {
    Queue *queue = new Queue;
    std::thread consumer([queue] { queue->pop(); });
    queue->push(1);
    queue->push(2);
    consumer.join();
    delete queue;
    return 0;
}
