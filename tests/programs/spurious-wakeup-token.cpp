// A bare wait without a predicate takes a spurious wake-up for a delivered token.
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
        if (tokens_ == 0)
            filled_.wait(hold);
        assert(tokens_ > 0); // BUG
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
