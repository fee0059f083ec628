// condition_variable_any with the shared side of a shared_mutex.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::condition_variable_any ready;
static bool set;

int main() {
    std::thread thread([] {
        std::shared_lock<std::shared_mutex> held(lock);
        ready.wait(held, [] { return set; });
    });
    {
        std::lock_guard<std::shared_mutex> held(lock);
        set = true;
    }
    ready.notify_all();
    thread.join();
}
