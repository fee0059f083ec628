// One notification for two waiters.
#include <atomic>
#include <thread>

static std::atomic<int> ready{0};

int main() {
    const auto wait = [] { ready.wait(0); };  // BUG
    std::thread first(wait);
    std::thread second(wait);
    ready.store(1);
    ready.notify_one();
    first.join();  // BUG
    second.join();  // BUG
}
