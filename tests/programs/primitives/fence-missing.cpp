// Without the second fence the relaxed read orders nothing.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> ready{false};
static int message;

int main() {
    std::thread sender([] {
        message = 5;  // BUG
        std::atomic_thread_fence(std::memory_order_release);
        ready.store(true, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_relaxed)) assert(message == 5);  // BUG
    sender.join();
}
