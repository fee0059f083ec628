// Fences around relaxed accesses order the message before the flag.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> ready{false};
static int message;

int main() {
    std::thread sender([] {
        message = 5;
        std::atomic_thread_fence(std::memory_order_release);
        ready.store(true, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_relaxed)) {
        std::atomic_thread_fence(std::memory_order_acquire);
        assert(message == 5);
    }
    sender.join();
}
