// The same with an atomic that is not waited for on itself but on a count of notifications.
#include <atomic>
#include <thread>

static std::atomic<long long> ready{0};

int main() {
    std::thread thread([] {
        ready.notify_all();
        ready.store(1);
    });
    ready.wait(0);  // BUG
    thread.join();
}
