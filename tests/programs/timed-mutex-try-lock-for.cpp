// A statistics thread ignores that try_lock_for gave up and unlocks a mutex it does not hold.
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex guard;
static std::atomic<int> updates{0};

static void update() {
    guard.try_lock_for(std::chrono::milliseconds(500));
    updates.fetch_add(1);
    guard.unlock(); // BUG
}

int main() {
    std::thread statistics(update);
    guard.lock();
    updates.fetch_add(1);
    guard.unlock();
    statistics.join();
    return 0;
}
