// The wait has a predicate: after a spurious wake-up it waits again.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class TokenBox {
public:
    void put() {
        std::lock_guard<std::mutex> hold(guard_);
        tokens_++;
        filled_.notify_one();
    }
    void take() {
        std::unique_lock<std::mutex> hold(guard_);
        filled_.wait(hold, [this] { return tokens_ > 0; });
        assert(tokens_ > 0);
        tokens_--;
    }

private:
    std::mutex guard_;
    std::condition_variable filled_;
    int tokens_ = 0;
};

int main() {
    TokenBox box;
    std::thread giver([&box] { box.put(); });
    box.take();
    giver.join();
    return 0;
}
