// The notification comes before the value: the waiter may fall asleep between the two.
#include <atomic>
#include <thread>

static std::atomic<int> ready{0};

int main() {
    std::thread thread([] {
        ready.notify_one();
        ready.store(1);
    });
    ready.wait(0);  // BUG
    thread.join();
}
