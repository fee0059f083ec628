// A bare wait_for is followed by the use of the result, whether it was woken or timed out.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable changed;
static bool loaded;

static void load() {
    std::lock_guard<std::mutex> hold(guard);
    loaded = true;
    changed.notify_one();
}

int main() {
    std::thread loader(load);
    {
        std::unique_lock<std::mutex> hold(guard);
        if (!loaded)
            changed.wait_for(hold, std::chrono::seconds(1));
        assert(loaded); // BUG
    }
    loader.join();
    return 0;
}
