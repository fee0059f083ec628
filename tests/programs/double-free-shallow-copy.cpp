// A message owns its payload but has no copy constructor of its own: the copy made by the worker
// and the original both delete the same array.
#include <atomic>
#include <thread>

static std::atomic<int> checksum{0};

class Message {
public:
    explicit Message(int length) : length_(length), payload_(new int[length]()) {}
    ~Message() {
        delete[] payload_; // BUG
    }
    int sum() const {
        int total = 0;
        for (int i = 0; i < length_; i++)
            total += payload_[i] + 1;
        return total;
    }

private:
    int length_;
    int *payload_;
};

static void process(const Message &message) {
    Message copy = message;
    checksum.store(copy.sum());
}

int main() {
    Message message(4);
    std::thread worker([&message] { process(message); });
    worker.join();
    return checksum.load() == 4 ? 0 : 1;
}
