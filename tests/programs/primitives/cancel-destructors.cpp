// Cancellation unwinds C++ frames: destructors run.
#include <pthread.h>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable never;
static int destroyed;

struct Guard {
    ~Guard() { ++destroyed; }
};

int main() {
    std::thread thread([] {
        Guard guard;
        std::unique_lock<std::mutex> held(lock);
        for (;;) never.wait(held);
    });
    pthread_cancel(thread.native_handle());
    thread.join();
    assert(destroyed == 1 && lock.try_lock());
    lock.unlock();
}
