// A round in vain reads plain memory, and the race is with a write that happens only if the thread then goes on.
#include <atomic>
#include <thread>

static std::atomic<int> ready, passed;
static int hint;

static int wait() {
    int seen = 0;
    while (!ready.load(std::memory_order_relaxed))
        seen += hint; // BUG
    passed.store(1, std::memory_order_relaxed);
    return seen;
}

int main() {
    std::thread waiter(wait);
    ready.store(1, std::memory_order_relaxed);
    if (passed.load(std::memory_order_relaxed))
        hint = 1; // BUG
    waiter.join();
    return 0;
}
