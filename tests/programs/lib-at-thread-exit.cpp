// A value made ready at thread exit, after the thread's own objects are gone; other threads see it from then on.
#include <atomic>
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

static std::atomic<int> cleaned{0};

struct Scratch {
    ~Scratch() { cleaned++; }
    int size = 1;
};

static void work(std::promise<int> promise) {
    static thread_local Scratch scratch;
    promise.set_value_at_thread_exit(scratch.size + 4);
    assert(cleaned == 0);
}

int main() {
    assert(cleaned == 0);
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    assert(future.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
    std::thread thread(work, std::move(promise));
    thread.join();
    assert(cleaned == 1);
    assert(future.get() == 5);
}
