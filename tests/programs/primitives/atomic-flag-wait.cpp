// atomic_flag as an event: wait, set, notify.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag ready;
static int message;

int main() {
    std::thread thread([] {
        message = 4;
        ready.test_and_set();
        ready.notify_one();
    });
    ready.wait(false);
    assert(message == 4);
    thread.join();
    ready.clear();
    assert(!ready.test());
}
