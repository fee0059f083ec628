// std::atomic wait and notify: the waiter sleeps while the value is the old one and goes on with the new one.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> state{0};
static int payload;

int main() {
    assert(state == 0 && payload == 0);
    state.wait(1); // different already: returns at once
    std::thread publisher([] {
        payload = 99;
        state.store(1);
        state.notify_one();
    });
    state.wait(0);
    assert(state.load() == 1 && payload == 99);
    publisher.join();
    state.notify_all(); // nobody waits
}
