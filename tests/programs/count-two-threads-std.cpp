// The same counter with std::thread and std::atomic: one event per operation, as with the pthread calls.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> hits{0};

static void visitor() {
    hits++;
    hits.fetch_add(1, std::memory_order_relaxed);
}

int main() {
    assert(hits == 0);
    std::thread first(visitor);
    std::thread second(visitor);
    first.join();
    second.join();
    assert(hits == 4);
}
