// wait_for with a predicate tells whether the result is there; without it a default is used.
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
    bool use_default;
    {
        std::unique_lock<std::mutex> hold(guard);
        use_default = !changed.wait_for(hold, std::chrono::seconds(1), [] { return loaded; });
        assert(use_default != loaded);
    }
    loader.join();
    assert(loaded);
    return 0;
}
