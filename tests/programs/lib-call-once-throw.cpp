// std::call_once with a function that throws the first time: the flag stays open and another call completes it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag flag;
static std::atomic<int> attempts{0};
static int value;

static void user(int &failed) {
    try {
        std::call_once(flag, [] {
            if (attempts.fetch_add(1) == 0)
                throw std::runtime_error("not yet");
            value = 9;
        });
        assert(value == 9);
    } catch (const std::runtime_error &) {
        failed++;
    }
}

int main() {
    assert(attempts == 0 && value == 0);
    int failed[2] = {0, 0};
    std::thread first(user, std::ref(failed[0]));
    std::thread second(user, std::ref(failed[1]));
    first.join();
    second.join();
    assert(failed[0] + failed[1] == 1);
    assert(attempts == 2 && value == 9);
}
