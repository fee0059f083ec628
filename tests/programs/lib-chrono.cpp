// The clocks of <chrono>: steady time never goes back, a sleep advances it by at least its length, in every thread.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;
static std::atomic<int> awake{0};

static void doze() {
    auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(1ms);
    auto end = std::chrono::steady_clock::now();
    assert(end - begin >= 1ms);
    awake++;
    assert(std::chrono::steady_clock::now() >= end);
}

int main() {
    static_assert(std::chrono::steady_clock::is_steady);
    assert(awake == 0);
    auto begin = std::chrono::steady_clock::now();
    auto wall = std::chrono::system_clock::now();
    std::thread first(doze);
    std::thread second(doze);
    std::this_thread::yield();
    first.join();
    second.join();
    assert(awake == 2);
    assert(std::chrono::steady_clock::now() - begin >= 1ms);
    assert(std::chrono::system_clock::now() > wall);
    auto target = std::chrono::steady_clock::now() + 500us;
    std::this_thread::sleep_until(target);
    assert(std::chrono::steady_clock::now() >= target);
    std::this_thread::sleep_for(-1s); // no time at all
}
