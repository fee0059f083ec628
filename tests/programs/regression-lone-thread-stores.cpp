// Main clears a large table of atomics before any other thread exists: thousands of stores in a row by a lone
// thread are progress, not a spin.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> table[4096];

int main() {
    for (std::atomic<int> &slot : table)
        slot.store(0);
    std::thread writer([] { table[1].store(1); });
    writer.join();
    assert(table[1].load() == 1);
    return 0;
}
