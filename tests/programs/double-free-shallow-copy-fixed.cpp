// A message owns its payload and copies it with the message.
#include <algorithm>
#include <atomic>
#include <thread>

static std::atomic<int> checksum{0};

class Message {
public:
    explicit Message(int length) : length_(length), payload_(new int[length]()) {}
    Message(const Message &other) : length_(other.length_), payload_(new int[other.length_]) {
        std::copy(other.payload_, other.payload_ + length_, payload_);
    }
    Message &operator=(const Message &) = delete;
    ~Message() { delete[] payload_; }
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
