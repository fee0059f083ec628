// Main waits in a loop while threads write variables on its stack: those it waits for and others.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
    std::atomic<int> arrived{0};
    std::atomic<int> other{0};
    int result = 0;
    std::thread first([&] {
        result = 42;
        arrived.fetch_add(1);
    });
    std::thread second([&] {
        other.store(7);
        arrived.fetch_add(1);
    });
    while (arrived.load() != 2)
        std::this_thread::yield();
    assert(result == 42 && other.load() == 7);
    first.join();
    second.join();
    return 0;
}
