// A statistics thread drops its update when it does not get the mutex in time.
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex guard;
static std::atomic<int> updates{0};
static std::atomic<int> dropped{0};

static void update() {
    std::unique_lock<std::timed_mutex> hold(guard, std::chrono::milliseconds(500));
    if (hold.owns_lock())
        updates.fetch_add(1);
    else
        dropped.fetch_add(1);
}

int main() {
    std::thread statistics(update);
    guard.lock();
    updates.fetch_add(1);
    guard.unlock();
    statistics.join();
    assert(updates.load() + dropped.load() == 2);
    return 0;
}
